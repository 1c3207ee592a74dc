// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/tile_program.h"

namespace ipusim::models {

/// When a remote transfer ends that begins in cycle `begin`, after its external sync. `chips` has
/// one entry per IPU; `transfer` is an index into their remote_transfers.
Cycles remoteEnd(const std::vector<const ChipPrograms*>& chips, std::uint32_t transfer,
                 Cycles begin);

}  // namespace ipusim::models
