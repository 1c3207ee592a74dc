// SPDX-License-Identifier: Apache-2.0
// Says which ipusim the program was built with, and which one it runs with.
#include "ipusim/version.h"

#include <iostream>

int main() {
  std::cout << "built with ipusim " << ipusim::kVersion << ", runs with "
            << ipusim::libraryVersion() << '\n';
}
