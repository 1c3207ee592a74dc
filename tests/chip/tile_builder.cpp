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
  program_.ops.edit().push_back({OpKind::Compute, StepId{step}, first, countOf(runs)});
  return *this;
}

TileBuilder& TileBuilder::sync(std::uint32_t step) {
  program_.ops.edit().push_back({OpKind::Sync, StepId{step}});
  return *this;
}

TileBuilder& TileBuilder::hostTransfer(std::uint32_t step, Cycles transfer) {
  program_.ops.edit().push_back({OpKind::HostTransfer, StepId{step}, countOf(host_transfers_)});
  host_transfers_.push_back({transfer, Bytes(1024), true});
  return *this;
}

TileBuilder& TileBuilder::exchange(std::uint32_t step, std::uint32_t exchange) {
  program_.ops.edit().push_back({OpKind::Exchange, StepId{step}, exchange});
  return *this;
}

TileBuilder& TileBuilder::exchangeBound(std::uint32_t step, Cycles ports_free) {
  return wait(OpKind::ExchangeBound, step, ports_free);
}

TileBuilder& TileBuilder::computeMeasured(std::uint32_t step, Cycles cycles) {
  return wait(OpKind::ComputeMeasured, step, cycles);
}

TileBuilder& TileBuilder::exchangeMeasured(std::uint32_t step, Cycles cycles) {
  return wait(OpKind::ExchangeMeasured, step, cycles);
}

TileBuilder& TileBuilder::wait(OpKind kind, std::uint32_t step, Cycles cycles) {
  program_.ops.edit().push_back({kind, StepId{step}, countOf(program_.waits)});
  program_.waits.push_back(cycles);
  return *this;
}

TileBuilder& TileBuilder::repeat(std::uint64_t iterations) {
  program_.ops.edit().push_back({OpKind::RepeatBegin, {}, 0, 0, iterations});
  return *this;
}

TileBuilder& TileBuilder::end() {
  program_.ops.edit().push_back({OpKind::RepeatEnd});
  return *this;
}

TileBuilder& TileBuilder::meet(const TileOp& op) {
  program_.ops.edit().push_back(op);
  return *this;
}

ChipTiming plainTiming(std::size_t tiles) {
  ChipTiming timing;
  timing.sync_distance.resize(tiles);
  return timing;
}

std::uint32_t addExchange(ChipPrograms& chip, const Messages& messages) {
  chip.exchanges.push_back({countOf(chip.transmissions), countOf(messages)});
  for (const Message& message : messages) {
    chip.transmissions.push_back({TileId(message.from), countOf(chip.transmission_tiles),
                                  countOf(message.lenders), countOf(message.to), message.start,
                                  message.length, message.control,
                                  Bytes(4 * message.length.value())});
    for (const std::uint32_t tile : message.lenders) chip.transmission_tiles.emplace_back(tile);
    for (const std::uint32_t tile : message.to) chip.transmission_tiles.emplace_back(tile);
  }
  return countOf(chip.exchanges) - 1;
}

namespace {

/// The number of a transfer of the chip that equals `transfer`. Adds the transfer when there is
/// none.
std::uint32_t hostTransferLike(ChipPrograms& chip, const HostTransfer& transfer) {
  std::uint32_t number = 0;
  for (const HostTransfer& known : chip.host_transfers) {
    if (known.cycles == transfer.cycles) return number;
    ++number;
  }
  chip.host_transfers.push_back(transfer);
  return number;
}

}  // namespace

ChipPrograms chipOf(const ChipTiming& timing, const std::vector<TileBuilder>& tiles,
                    const std::vector<Messages>& exchanges) {
  ChipPrograms chip;
  chip.timing = timing;
  for (const TileBuilder& tile : tiles) {
    chip.tiles.push_back(tile.program());
    for (TileOp& op : chip.tiles.back().ops.edit()) {
      chip.steps = std::max(chip.steps, static_cast<std::uint32_t>(indexOf(op.step)) + 1);
      if (op.kind != OpKind::HostTransfer) continue;
      op.first = hostTransferLike(chip, tile.hostTransfers()[op.first]);
    }
  }
  for (const Messages& messages : exchanges) addExchange(chip, messages);
  return chip;
}

}  // namespace ipusim::models
