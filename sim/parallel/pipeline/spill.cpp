// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/spill.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ipusim::parallel {

namespace {

/// A tensor that waits, as a tile sees it.
struct StashedTensor {
  std::uint32_t first_position;
  std::uint32_t last_position;  ///< inclusive
  Bytes bytes;
};

/// The tensors that live across the beginning of the backward pass: one entry per tile.
std::vector<std::vector<StashedTensor>> stashedTensors(const Result& result,
                                                       std::uint32_t backward) {
  std::vector<std::vector<StashedTensor>> tensors(result.tiles.size());
  for (const VariableResult& variable : result.variables) {
    const bool waits = !variable.always_live && variable.first_position < backward &&
                       variable.last_position >= backward;
    if (!waits) continue;
    for (const TileRun& run : variable.tiles) {
      for (std::uint32_t t = 0; t < run.tiles; ++t) {
        tensors[run.first_tile + t].push_back(
            {variable.first_position, variable.last_position, run.bytes});
      }
    }
  }
  return tensors;
}

/// What may be away at each position.
std::vector<Bytes> spillableAt(const std::vector<StashedTensor>& tensors, std::size_t positions) {
  std::vector<Bytes> sum(positions);
  std::vector<Bytes> largest(positions);
  for (const StashedTensor& tensor : tensors) {
    for (std::size_t p = tensor.first_position; p <= tensor.last_position && p < positions; ++p) {
      sum[p] += tensor.bytes;
      largest[p] = std::max(largest[p], tensor.bytes);
    }
  }
  for (std::size_t p = 0; p < positions; ++p) sum[p] = excess(sum[p], largest[p]);
  return sum;
}

/// Leaves out moments at which no more lives than at another one, and no less may go.
std::vector<TileMoment> decisive(std::vector<TileMoment> moments) {
  std::sort(moments.begin(), moments.end(), [](const TileMoment& a, const TileMoment& b) {
    return a.live == b.live ? a.spillable < b.spillable : b.live < a.live;
  });
  std::vector<TileMoment> left;
  for (const TileMoment& moment : moments) {
    if (left.empty() || moment.spillable < left.back().spillable) left.push_back(moment);
  }
  return left;
}

std::vector<TileMoment> momentsOf(const LivenessCurve& curve,
                                  const std::vector<StashedTensor>& tensors,
                                  std::size_t positions) {
  const std::vector<Bytes> spillable = spillableAt(tensors, positions);
  std::vector<TileMoment> moments;
  std::size_t next = 0;
  Bytes live;
  for (std::size_t p = 0; p < positions; ++p) {
    while (next < curve.size() && curve[next].position <= p) live = curve[next++].bytes;
    moments.push_back({live, spillable[p]});
  }
  return decisive(std::move(moments));
}

double asReal(Bytes bytes) {
  return static_cast<double>(bytes.value());
}

}  // namespace

std::vector<StashedData> waitingData(const Result& result, std::uint32_t backward) {
  const std::vector<std::vector<StashedTensor>> tensors = stashedTensors(result, backward);
  std::vector<StashedData> waiting(tensors.size());
  for (std::size_t t = 0; t < tensors.size(); ++t) {
    for (const StashedTensor& tensor : tensors[t]) waiting[t].bytes += tensor.bytes;
    const LivenessCurve& curve = result.liveness.curves[result.liveness.curve_of_tile[t]];
    waiting[t].moments = momentsOf(curve, tensors[t], result.positions.size());
  }
  return waiting;
}

double spilledShare(const StashedData& waiting, const TileRoom& room) {
  const Bytes stash = room.stash_depth * waiting.bytes;
  double share = 0;
  for (const TileMoment& moment : waiting.moments) {
    const Bytes over = excess(moment.live + stash, room.bytes);
    if (over == Bytes(0)) continue;
    const Bytes spillable = moment.spillable + stash;
    if (spillable == Bytes(0)) return std::numeric_limits<double>::infinity();
    share = std::max(share, asReal(over) / asReal(spillable));
  }
  return share;
}

Bytes stayingBytes(const StashedData& waiting, std::uint64_t stash_depth, double share) {
  const Bytes stash = stash_depth * waiting.bytes;
  Bytes most;
  for (const TileMoment& moment : waiting.moments) {
    // To the nearest byte: the moment that decides the share has exactly its room then.
    const double gone = std::round(share * asReal(moment.spillable + stash));
    most = std::max(most, excess(moment.live + stash, Bytes(static_cast<std::uint64_t>(gone))));
  }
  return most;
}

}  // namespace ipusim::parallel
