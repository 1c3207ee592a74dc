// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "poplar/runtime/engine/engine_data.h"
#include "sim/record/recorded_program.h"

namespace poplar::detail {

/// What the clock of a loaded engine wrote down since the load.
ipusim::record::RecordedProgram recordOf(const EngineData& engine);

}  // namespace poplar::detail
