// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/gather/planner/memory.h"

#include <algorithm>

namespace ipusim::workloads {
namespace {

constexpr Bytes kIndexBytes(4);      // an unsigned int
constexpr Bytes kBytesPerSender(4);  // one instruction of exchange code

/// The indices on a tile that stores some.
std::uint64_t indicesPerTile(const PlannedTable& table) {
  const std::uint64_t indices = table.problem.indices;
  return std::max(std::min(indices, kLeastIndicesPerTile),
                  ceilDiv<std::uint64_t>(indices, table.machine.tiles));
}

}  // namespace

Bytes sliceTempBytes(const PlannedTable& table, const EmbeddingSplits& splits,
                     const EmbeddingShare& share) {
  if (!isSliced(table.problem.use)) return Bytes(0);
  const Bytes row = table.element * share.columns * share.groups;
  const Bytes table_part = sentTable(splits, share);
  const bool two_stages = splits.rows > 1;
  const Bytes first = two_stages ? row * share.indices : Bytes(0);
  const Bytes candidates = two_stages ? row * (share.results * splits.rows) : Bytes(0);
  const bool stays = splits.broadcast == TableBroadcast::BeforeSteps;
  return std::max(table_part + first + kIndexBytes * share.indices * share.groups,
                  first + candidates + kIndexBytes * share.results * share.groups +
                      (stays ? table_part : Bytes(0)));
}

Bytes updateTempBytes(const PlannedTable& table, const EmbeddingSplits& splits,
                      const EmbeddingShare& share) {
  if (!isUpdated(table.problem.use)) return Bytes(0);
  const Bytes row = sizeOf(table.partials) * share.columns;
  const Bytes cast = table.casts() ? row * share.results : Bytes(0);
  const Bytes sent = splits.rows > 1 ? row * share.indices : Bytes(0);
  const Bytes partials = splits.look_ups > 1 ? row * share.rows : Bytes(0);
  // As published, slices that were cast do not count beside those that arrive for split rows.
  const Bytes updating =
      (splits.rows > 1 ? Bytes(0) : cast) + sent + partials + kIndexBytes * share.indices;
  return share.beyond_even + std::max({cast + sent, updating, partials * 2}) * share.groups;
}

Bytes embeddingCodeBytes(const PlannedTable& table, const EmbeddingSplits& splits,
                         const EmbeddingShare& share) {
  const EmbeddingProblem& problem = table.problem;
  const std::uint64_t index_tiles = ceilDiv(share.indices, indicesPerTile(table));
  const std::uint64_t peers = splits.look_ups > 1 ? splits.look_ups : 0;
  std::uint64_t senders = 0;
  if (isSliced(problem.use)) {
    senders += peers + 2 * index_tiles + (splits.rows > 1 ? splits.rows : 0);
  }
  if (isUpdated(problem.use)) senders += index_tiles + peers;
  return kBytesPerSender * senders * share.groups;
}

}  // namespace ipusim::workloads
