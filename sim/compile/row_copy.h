// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "models/ipu/cost/streaming.h"
#include "sim/compile/executable.h"

namespace ipusim::compiler {

/// The bytes of the row on each tile, in ascending order of tiles.
std::vector<models::TileShare> sharesOf(const RowCopy& row, const std::vector<Block>& blocks);

/// One transfer per RemoteBegin step, in the order of the steps. All tiles are those of one IPU.
std::vector<RemoteTransfer> remoteTransfersOf(const Lowered& lowered, const Machine& ipu);

/// The streaming memory as `ipus` such IPUs see it.
StreamingTiming streamingTimingOf(const Machine& ipu, std::uint32_t ipus);

}  // namespace ipusim::compiler
