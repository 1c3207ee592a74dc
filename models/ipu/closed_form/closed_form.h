// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/observer.h"
#include "ipusim/tile_program.h"

namespace ipusim::models {

/// What the chip would measure, from recurrences over arrays of tiles instead of events: for
/// sweeps, and as a second opinion. Equal to the chip in every field. Callable from several
/// threads, with an observer each. Throws as `verify` does, InternalError where two transmissions
/// meet on a port, and CountError at kLastCycle. `observer` may be null.
ChipResult closedForm(const ChipPrograms& programs, Observer* observer = nullptr);

}  // namespace ipusim::models
