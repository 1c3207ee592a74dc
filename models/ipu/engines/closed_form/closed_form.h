// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/observer.h"
#include "ipusim/tile_program.h"
#include "models/ipu/program/system_program.h"

namespace ipusim::models {

/// Computes what the chip would measure from recurrences over arrays of tiles in place of events.
/// It serves sweeps, and is a second opinion: its result equals the chip's in every field.
///
/// May be called from several threads, each with an observer of its own; `observer` may be null.
/// Throws what `verify` throws, InternalError when two transmissions meet on a port, and CountError
/// at kLastCycle.
ChipResult closedForm(const ChipPrograms& programs, Observer* observer = nullptr);

/// Computes what the chips of a system would measure, which meet by the rules of ChipBarriers.
/// Every program is computed once, whatever the number of IPUs that run it. The observer, which may
/// be null, hears of single IPUs only. Throws what the function for one chip throws.
MeasuredSystem closedForm(const SystemPrograms& system, Observer* observer = nullptr);

}  // namespace ipusim::models
