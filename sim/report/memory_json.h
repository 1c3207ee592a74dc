// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text/json.h"
#include "sim/run/run_result.h"

namespace ipusim::report {

/// The member `memory` of a result: bytes of the fullest tile and of all, by category.
Json memoryJson(const run::RunResult& result);

/// The member `oom` of a result: the excess of the tile that is furthest over, and the variables
/// that fill the tile. Null where all tiles have room.
Json oomJson(const run::RunResult& result);

/// The excess alone.
Json oomJson(const OutOfMemory& oom);

}  // namespace ipusim::report
