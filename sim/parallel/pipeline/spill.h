// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ipusim/result.h"

// Spilling: of what waits for a backward pass, the part that a tile has no room for goes to
// streaming memory after the forward pass and comes back for the backward pass. The same share of
// every tensor on a tile goes.

namespace ipusim::parallel {

/// What a tile holds at one time, besides what lives always.
struct TileMoment {
  Bytes live;
  Bytes spillable;  ///< the part that waits and that nothing works on
};

/// What a program keeps on a tile for its backward pass.
struct StashedData {
  Bytes bytes;                      ///< of a micro-batch
  std::vector<TileMoment> moments;  ///< those that no other one needs more room than, at any share
};

/// What waits on each tile of a program whose backward pass begins at `backward`, an index into
/// Result::positions. The largest of the tensors that wait at a time counts as worked on then.
std::vector<StashedData> waitingData(const Result& result, std::uint32_t backward);

/// The room of a tile for what waits there.
struct TileRoom {
  Bytes bytes;  ///< of the tile, less what lives always and what the stash cannot spill
  std::uint64_t stash_depth;  ///< micro-batches that wait beside that of the program
};

/// The least share of all waiting data of a tile that must go, so that the rest has room. More than
/// 1: there is no room even then.
double spilledShare(const StashedData& waiting, const TileRoom& room);

/// The most that does not live always and that stays on the tile when such a share goes, the stash
/// included.
Bytes stayingBytes(const StashedData& waiting, std::uint64_t stash_depth, double share);

}  // namespace ipusim::parallel
