// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/observer.h"
#include "ipusim/tile_program.h"
#include "models/ipu/program/pod_program.h"

namespace ipusim::models {

/// Computes what the chip would measure from recurrences over arrays of tiles in place of events.
/// It serves sweeps, and is a second opinion: its result equals the chip's in every field.
///
/// May be called from several threads, each with an observer of its own; `observer` may be null.
/// Throws what `verify` throws, InternalError when two transmissions meet on a port, and CountError
/// at kLastCycle.
ChipResult closedForm(const ChipPrograms& programs, Observer* observer = nullptr);

/// The same for the chips of a pod, which wait for one another at every exchange between them:
///
///   release = max over chips (arrival) + sync + transfer
///
/// Computes every program once, whatever the number of IPUs that run it.
PodResult closedForm(const PodPrograms& pod);

}  // namespace ipusim::models
