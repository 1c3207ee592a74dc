// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/machine.h"
#include "models/ipu/machine/system.h"
#include "poplar/detail/target_api.hpp"

namespace poplar::detail {

/// The machine of an IPU of a target: its preset, with the numbers of the target. Throws
/// poplar_error for more IPUs than can be executed.
ipusim::Machine machineOf(const TargetData& target);

/// The IPUs of a target, of which `machine` is machineOf(). Several have links and streaming memory
/// as the system has them that such IPUs are sold in. Throws poplar_error, also for a number of
/// IPUs that no such system can have.
ipusim::System systemOf(const TargetData& target, const ipusim::Machine& machine);

}  // namespace poplar::detail
