// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "poplar/detail/engine_api.hpp"

namespace poplar::detail {

/// Throws invalid_option for a name that no option of an engine has.
void checkOptions(const Options& options);
/// Whether the option is set to that value.
bool optionIs(const Options& options, const std::string& name, const std::string& value);

}  // namespace poplar::detail
