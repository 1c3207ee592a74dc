// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/emit/row_copy.h"

#include <map>

namespace ipusim::compiler {

namespace {

/// The streaming memory as `ipus` such IPUs see it.
StreamingTiming timingOf(const Machine& ipu, std::uint32_t ipus) {
  const StreamingMemory& memory = ipu.streaming;
  StreamingTiming timing;
  constexpr unsigned kBits = StreamingTiming::kRateBits;
  timing.ipus = memory.ipus;
  timing.rate = models::streamingRate(ipu, memory.bytes_per_second, kBits);
  timing.ipu_rate = models::streamingRate(ipu, memory.ipu_bytes_per_second, kBits);
  timing.sync = models::streamingSync(ipu, ipus);
  timing.fixed = ipu.host.fixed;
  return timing;
}

}  // namespace

std::vector<models::TileShare> sharesOf(const RowCopy& row, const std::vector<Block>& blocks) {
  std::map<std::uint32_t, Bytes> of_tile;
  for (const RowPart& part : row.parts) {
    of_tile[blocks[indexOf(part.block)].tile.tile()] += row.bytesOf(part);
  }
  std::vector<models::TileShare> shares;
  shares.reserve(of_tile.size());
  for (const auto& [tile, bytes] : of_tile) shares.push_back({tile, bytes});
  return shares;
}

void addRemoteTransfers(const Lowered& lowered, const Machine& ipu, std::uint32_t ipus,
                        ChipPrograms& programs) {
  programs.remote_transfers.clear();
  for (const Step& step : lowered.steps) {
    if (step.kind != StepKind::RemoteBegin) continue;
    const models::RowLoad load = models::rowLoad(ipu, sharesOf(step.remote, lowered.blocks));
    programs.remote_transfers.push_back({load.payload, load.on_memory, load.ports,
                                         step.remote.address.value(),
                                         step.remote.direction == RemoteDirection::Load});
  }
  programs.timing.streaming =
      programs.remote_transfers.empty() ? StreamingTiming() : timingOf(ipu, ipus);
}

}  // namespace ipusim::compiler
