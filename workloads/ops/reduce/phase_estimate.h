// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/units.h"

namespace ipusim::workloads {

/// What an exchange phase takes beside its data, for plans only, whatever the machine: on a GC200
/// the longest start delay, 189 cycles, and a sync, 25 and twice the 84 of the farthest tile
/// (configs/machines/gc200.toml, models/README.md).
constexpr Cycles kPhaseEstimate(382);

}  // namespace ipusim::workloads
