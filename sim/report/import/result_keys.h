// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ipusim::run {

/// The keys of a result that `result` has no member for, such as "memory.max_tile_bytes" or
/// "steps[].vertices". A key of steps is missing when a step that could have it has none.
std::vector<std::string> keysMissingFrom(const nlohmann::ordered_json& result);

}  // namespace ipusim::run
