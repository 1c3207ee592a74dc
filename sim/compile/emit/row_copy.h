// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ipu/cost/exchange/streaming.h"
#include "sim/compile/executable.h"

namespace ipusim::compiler {

/// The bytes of the row on each tile, in ascending order of tiles.
std::vector<models::TileShare> sharesOf(const RowCopy& row, const std::vector<Block>& blocks);

/// Adds to the program of one of `ipus` IPUs one transfer per RemoteBegin step, in the order of the
/// steps, and the timing of the streaming memory where there is any such step. All tiles of
/// `lowered` are those of the IPU.
void addRemoteTransfers(const Lowered& lowered, const Machine& ipu, std::uint32_t ipus,
                        ChipPrograms& programs);

}  // namespace ipusim::compiler
