// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/tile_program.h"

namespace ipusim::models {

/// When a remote transfer ends to which the last IPU came at `last_arrival`. `chips` has one entry
/// per IPU; `transfer` is an index into their remote_transfers.
Cycles remoteEnd(const std::vector<const ChipPrograms*>& chips, std::uint32_t transfer,
                 Cycles last_arrival);

}  // namespace ipusim::models
