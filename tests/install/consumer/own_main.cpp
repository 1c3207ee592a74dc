// SPDX-License-Identifier: Apache-2.0
// A program with a main of its own, which plays SystemC's clock and defines no sc_main.
#include <iostream>
#include <systemc>

#include "ipusim/version.h"

int main() {
  sc_core::sc_start(1, sc_core::SC_NS);
  std::cout << ipusim::libraryVersion() << ' ' << sc_core::sc_time_stamp() << '\n';
}
