// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "sim/record/recorded_program.h"

namespace ipusim::record {

/// What an engine measured when it played a record.
struct Replayed {
  ChipResult tiles;            ///< of all tiles of all IPUs, IPU by IPU
  std::vector<LinkUse> links;  ///< one entry per set; none on one IPU
};

/// Play a record on the chips (SystemC), or by the closed form. The first must not be called from
/// two threads. Throw ConfigError for a record whose steps cannot run in their order.
Replayed replayOnChips(const RecordedProgram& program);
Replayed replayByClosedForm(const RecordedProgram& program);

}  // namespace ipusim::record
