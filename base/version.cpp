// SPDX-License-Identifier: Apache-2.0
#include "ipusim/version.h"

/// What cmake/Commit.cmake writes for programs and for the library. Tests are linked without it.
// NOLINTNEXTLINE(readability-identifier-naming): a symbol of C
extern "C" [[gnu::weak]] const char ipusim_commit[];

namespace ipusim {

const char* libraryVersion() {
  return kVersion;
}

const char* libraryCommit() {
  return ipusim_commit == nullptr ? "unknown" : ipusim_commit;
}

}  // namespace ipusim
