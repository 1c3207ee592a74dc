// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/machine.h"
#include "poplar/detail/target_api.hpp"

namespace poplar::detail {

/// The machine of a target: its preset, with the numbers of the target. All IPUs of the target are
/// one machine of as many tiles.
ipusim::Machine machineOf(const TargetData& target);

}  // namespace poplar::detail
