// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/text/json.h"

namespace ipusim::interop {

/// The keys of a result that `result` has no member for, such as "memory.max_tile_bytes" or
/// "steps[].vertices". A key of steps is missing when a step that could have it has none.
std::vector<std::string> keysMissingFrom(const Json& result);

}  // namespace ipusim::interop
