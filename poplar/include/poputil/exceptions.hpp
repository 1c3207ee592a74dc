// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdexcept>
#include <string>

namespace poputil {

/// What a library function refuses.
struct poplibs_error : std::runtime_error {
  explicit poplibs_error(const std::string& what) : std::runtime_error(what.c_str()) {}
  explicit poplibs_error(const char* what) : std::runtime_error(what) {}
};

}  // namespace poputil
