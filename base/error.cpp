// SPDX-License-Identifier: Apache-2.0
#include "ipusim/error.h"

namespace ipusim {

void throwCountError() {
  throw CountError("a count of 2^64 or more");
}

void check(bool holds, const char* what) {
  if (!holds) throw InternalError(what);
}

void check(bool holds, const std::string& what) {
  if (!holds) throw InternalError(what);
}

}  // namespace ipusim
