// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "sim/parallel/pipeline/stage_cost.h"

namespace ipusim::parallel {

/// What the bytes of an IPU are used for.
nlohmann::ordered_json memoryJson(const HeldBytes& held, Bytes max_tile_bytes);

}  // namespace ipusim::parallel
