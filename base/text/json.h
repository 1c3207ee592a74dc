// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

namespace ipusim {

/// JSON whose keys keep the order in which they were written. Who builds or reads one includes
/// <nlohmann/json.hpp>; who hands one on needs this header alone.
using Json = nlohmann::ordered_json;

/// JSON whose keys are sorted, so that equal objects print the same text.
using SortedJson = nlohmann::json;

}  // namespace ipusim
