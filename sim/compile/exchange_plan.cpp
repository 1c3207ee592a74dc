// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/exchange_plan.h"

#include <algorithm>

#include "models/ipu/cost/exchange.h"

namespace ipusim::compiler {

using models::Machine;

namespace {

/// Consecutive pieces at one end of a message, its levels walked outermost first.
std::uint64_t piecesOf(const Message& message, std::uint64_t TransferDim::*stride) {
  std::uint64_t run = message.unit_bytes;
  std::uint64_t pieces = 1;
  for (auto dim = message.dims.rbegin(); dim != message.dims.rend(); ++dim) {
    if (pieces == 1 && (*dim).*stride == run) {
      run *= dim->count;
    } else {
      pieces *= dim->count;
    }
  }
  return pieces;
}

struct Payload {
  std::uint64_t bytes;
  Cycles cycles;  ///< at the plain rate; each unit starts a word of its own
};

Payload payloadOf(const Machine& machine, const Message& message) {
  std::uint64_t units = 1;
  for (const TransferDim& dim : message.dims) units *= dim.count;
  return {units * message.unit_bytes,
          cyclesFor(Bytes(message.unit_bytes), machine.fabric.exchange_rate) * units};
}

/// The receivers of one message, by the stream that serves them.
struct Streams {
  std::vector<std::uint32_t> plain;
  std::vector<std::uint32_t> doubled;
};

class BoundPlanner {
 public:
  BoundPlanner(const Machine& machine, const Step& step, const std::vector<Block>& blocks)
      : machine_(machine), step_(step), blocks_(blocks), tiles_(machine.tiles) {}

  std::vector<TileExchange> run() {
    for (const Message& message : step_.messages) place(message);
    for (std::uint32_t t = 0; t < machine_.tiles; ++t) shiftToStart(t);
    return std::move(tiles_);
  }

 private:
  void place(const Message& message) {
    const std::uint32_t sender = blocks_[message.from].tile;
    const Streams streams = streamsOf(message, sender);
    const Payload payload = payloadOf(machine_, message);
    const std::uint64_t landed = piecesOf(message, &TransferDim::to_stride);
    const Cycles control(machine_.fabric.receive_control_words * landed);
    tiles_[sender].send_instructions += piecesOf(message, &TransferDim::from_stride);
    if (!streams.plain.empty()) append(tiles_[sender].sends, payload.cycles);
    if (!streams.doubled.empty()) sendDoubled(sender, halved(payload.cycles));
    for (const std::uint32_t tile : streams.plain) {
      receive(tile, payload, payload.cycles + control, landed);
      noteDelay(sender, tile);
    }
    for (const std::uint32_t tile : streams.doubled) {
      receive(tile, payload, halved(payload.cycles) + control, landed);
      noteDelay(sender, tile);
    }
  }

  [[nodiscard]] std::uint32_t groupOf(std::uint32_t tile) const {
    return tile / machine_.fabric.tiles_per_bus;
  }
  [[nodiscard]] Cycles halved(Cycles cycles) const {
    return Cycles(ceilDiv<std::uint64_t>(cycles.value(), machine_.fabric.tiles_per_bus));
  }

  /// Receivers whose whole bus group receives go to the doubled stream, but for the sender's own.
  [[nodiscard]] Streams streamsOf(const Message& message, std::uint32_t sender) const {
    std::vector<std::uint32_t> tiles;
    for (const Landing& landing : step_.receiver_lists[message.receivers]) {
      tiles.push_back(blocks_[landing.block].tile);
    }
    Streams streams;
    if (machine_.fabric.tiles_per_bus == 1) {
      streams.plain = std::move(tiles);
      return streams;
    }
    std::sort(tiles.begin(), tiles.end());
    for (auto first = tiles.begin(); first != tiles.end();) {
      const std::uint32_t group = groupOf(*first);
      const auto last = std::find_if(
          first, tiles.end(), [this, group](std::uint32_t t) { return groupOf(t) != group; });
      const bool whole = last - first == machine_.fabric.tiles_per_bus;
      auto& stream = whole && group != groupOf(sender) ? streams.doubled : streams.plain;
      stream.insert(stream.end(), first, last);
      first = last;
    }
    return streams;
  }

  static void append(std::vector<models::PortUse>& port, Cycles cycles) {
    const Cycles start = port.empty() ? Cycles(0) : port.back().start + port.back().cycles;
    port.push_back({start, cycles});
  }

  void sendDoubled(std::uint32_t sender, Cycles cycles) {
    const std::uint32_t first = groupOf(sender) * machine_.fabric.tiles_per_bus;
    const std::uint32_t end = std::min(first + machine_.fabric.tiles_per_bus, machine_.tiles);
    for (std::uint32_t tile = first; tile < end; ++tile) append(tiles_[tile].sends, cycles);
  }

  void receive(std::uint32_t tile, const Payload& payload, Cycles cycles, std::uint64_t landed) {
    TileExchange& receiver = tiles_[tile];
    append(receiver.receives, cycles);
    receiver.receive_instructions += landed;
    receiver.received_bytes += payload.bytes;
  }

  void noteDelay(std::uint32_t sender, std::uint32_t receiver) {
    const Cycles delay = models::startDelay(machine_, sender, receiver);
    start_delay_ = std::max(start_delay_, delay);
  }

  /// The phase starts on every port when its longest start delay is over.
  void shiftToStart(std::uint32_t tile) {
    const Cycles start = start_delay_ + models::syncDistance(machine_, tile);
    for (models::PortUse& use : tiles_[tile].sends) use.start += start;
    for (models::PortUse& use : tiles_[tile].receives) use.start += start;
  }

  const Machine& machine_;
  const Step& step_;
  const std::vector<Block>& blocks_;
  std::vector<TileExchange> tiles_;
  Cycles start_delay_;
};

}  // namespace

std::vector<TileExchange> planBoundExchange(const Machine& machine, const Step& step,
                                            const std::vector<Block>& blocks) {
  return BoundPlanner(machine, step, blocks).run();
}

ExchangeVolume volumeOf(const Step& step, const std::vector<TileExchange>& plan) {
  ExchangeVolume volume;
  volume.messages = step.messages.size();
  for (const TileExchange& tile : plan) {
    volume.bytes += tile.received_bytes;
    volume.max_tile_bytes = std::max(volume.max_tile_bytes, tile.received_bytes);
  }
  return volume;
}

}  // namespace ipusim::compiler
