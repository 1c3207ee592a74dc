// SPDX-License-Identifier: Apache-2.0
#include "ipusim/version.h"

namespace ipusim {

const char* libraryVersion() {
  return kVersion;
}

}  // namespace ipusim
