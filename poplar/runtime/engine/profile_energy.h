// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/text/json.h"
#include "poplar/runtime/engine/engine_data.h"
#include "sim/run/run_result.h"

namespace poplar::detail {

/// What the machine did since the load or the last reset of the profile, and what that costs.
struct ProfiledEnergy {
  ipusim::Result result;  ///< steps, time and activity; that of tiles lacks the codelets'
  std::string unpriced;   ///< why there is no energy; empty where the machine has prices
  std::optional<ipusim::run::RunEnergy> energy;  ///< none either where no time passed
};

/// The engine must be loaded.
ProfiledEnergy profiledEnergy(const EngineData& engine);

/// Adds the members `activity` and `energy`, or `not_priced`.
void addEnergy(const ProfiledEnergy& profiled, ipusim::Json& json);
/// The lines of the summary.
std::string energyLines(const ProfiledEnergy& profiled);

}  // namespace poplar::detail
