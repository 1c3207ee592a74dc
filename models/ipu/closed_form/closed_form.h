// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ipu/program/tile_program.h"

namespace ipusim::models {

/// What the chip would measure, from recurrences over arrays of tiles instead of events: for
/// sweeps, and as a second opinion. Equal to the chip in every field. Callable from several
/// threads. Throws as `verify` does, InternalError where uses of a port overlap, and CountError at
/// kLastCycle.
ChipResult closedForm(const ChipPrograms& programs);

}  // namespace ipusim::models
