// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/ipu/program/tile_program.h"

namespace ipusim::models {

/// Runs the programs on the chip and says what each tile spent where. Includes no SystemC, but the
/// executable that calls it must define `sc_main`, for the library wants one. Not to be called from
/// two threads: SystemC has one kernel a process.
/// Throws as `verify` does, InternalError where uses of a port overlap, and CountError at
/// kLastCycle.
ChipResult simulateChip(const ChipPrograms& programs);

}  // namespace ipusim::models
