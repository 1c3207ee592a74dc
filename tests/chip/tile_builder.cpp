// SPDX-License-Identifier: Apache-2.0
#include "tests/chip/tile_builder.h"

#include <algorithm>

namespace ipusim::models {

namespace {

/// Appends `added` to `list`; returns where it starts.
template <typename T>
std::uint32_t append(std::vector<T>& list, const std::vector<T>& added) {
  const auto first = static_cast<std::uint32_t>(list.size());
  list.insert(list.end(), added.begin(), added.end());
  return first;
}

template <typename T>
std::uint32_t countOf(const std::vector<T>& list) {
  return static_cast<std::uint32_t>(list.size());
}

}  // namespace

TileBuilder& TileBuilder::compute(std::uint32_t step, const std::vector<VertexRun>& runs) {
  const std::uint32_t first = append(program_.vertices, runs);
  program_.ops.push_back({OpKind::Compute, step, first, countOf(runs), 0, 0, 0, {}});
  return *this;
}

TileBuilder& TileBuilder::sync(std::uint32_t step) {
  program_.ops.push_back({OpKind::Sync, step, 0, 0, 0, 0, 0, {}});
  return *this;
}

TileBuilder& TileBuilder::hostTransfer(std::uint32_t step, Cycles transfer) {
  program_.ops.push_back({OpKind::HostTransfer, step, 0, 0, 0, 0, 0, transfer});
  return *this;
}

TileBuilder& TileBuilder::exchange(std::uint32_t step, const std::vector<PortUse>& sends,
                                   const std::vector<PortUse>& receives) {
  const std::uint32_t first_send = append(program_.sends, sends);
  const std::uint32_t first_receive = append(program_.receives, receives);
  program_.ops.push_back({OpKind::Exchange,
                          step,
                          first_send,
                          countOf(sends),
                          first_receive,
                          countOf(receives),
                          0,
                          {}});
  return *this;
}

TileBuilder& TileBuilder::repeat(std::uint64_t iterations) {
  program_.ops.push_back({OpKind::RepeatBegin, 0, 0, 0, 0, 0, iterations, {}});
  return *this;
}

TileBuilder& TileBuilder::end() {
  program_.ops.push_back({OpKind::RepeatEnd, 0, 0, 0, 0, 0, 0, {}});
  return *this;
}

TileBuilder& TileBuilder::meet(const TileOp& op) {
  program_.ops.push_back(op);
  return *this;
}

ChipTiming plainTiming(std::size_t tiles) {
  ChipTiming timing;
  timing.sync_distance.resize(tiles);
  return timing;
}

ChipPrograms chipOf(const ChipTiming& timing, const std::vector<TileBuilder>& tiles) {
  ChipPrograms chip;
  chip.timing = timing;
  for (const TileBuilder& tile : tiles) {
    chip.tiles.push_back(tile.program());
    for (const TileOp& op : tile.program().ops) chip.steps = std::max(chip.steps, op.step + 1);
  }
  return chip;
}

}  // namespace ipusim::models
