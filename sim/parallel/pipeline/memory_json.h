// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text/json.h"
#include "sim/parallel/pipeline/stage_cost.h"

namespace ipusim::parallel {

/// What the bytes of an IPU are used for.
Json memoryJson(const HeldBytes& held, Bytes max_tile_bytes);

}  // namespace ipusim::parallel
