// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/ipu/cost/exchange/exchange.h"
#include "sim/compile/executable.h"

namespace ipusim::compiler {

/// A port of a tile. Ports are numbered so that tables of ports are dense.
enum class PortId : std::uint32_t {};

constexpr PortId sendPort(TileId tile) {
  return PortId{2 * tile.tile()};
}
constexpr PortId receivePort(TileId tile) {
  return PortId{2 * tile.tile() + 1};
}
constexpr TileId tileOf(PortId port) {
  return TileId(static_cast<std::uint32_t>(port) / 2);
}
/// How many ports that many tiles have.
constexpr std::size_t portsOf(std::size_t tiles) {
  return 2 * tiles;
}

/// The rate at which a stream leaves its sender. Doubled needs every bus group of receivers to
/// receive as a whole.
enum class StreamKind : std::uint8_t { Plain, Doubled };

/// All that one tile sends to one set of receivers, one message after the other. The stream holds
/// all its ports from one cycle on. It holds the send ports for `send`, and the receive ports for
/// `receive`, which is longer where control instructions take longer than the words.
struct ExchangeStream {
  TileId sender;
  StreamKind kind;
  /// Index into StreamSet::ports. The send ports come first, then the receive ports.
  std::uint32_t first_port;
  std::uint32_t send_ports;  ///< 1, or all ports of the sender's bus group
  std::uint32_t receive_ports;
  Cycles send;
  Cycles receive;
  Cycles delay;         ///< the longest start delay of the receivers; the stream starts no earlier
  Bytes bytes;          ///< payload of one receiver
  std::uint64_t words;  ///< words of 4 bytes that it sends; a piece fills its last word
  std::uint64_t send_instructions;     ///< one for each consecutive piece sent
  std::uint64_t receive_instructions;  ///< of one receiver: one for each consecutive piece

  [[nodiscard]] std::uint32_t ports() const { return send_ports + receive_ports; }
};

struct StreamSet {
  std::vector<ExchangeStream> streams;
  std::vector<PortId> ports;
  /// One entry per entry of `ports`: the start delay of a receiver, or for a send port the shortest
  /// of its receivers' start delays. Empty in a set whose multicasts were split.
  std::vector<Cycles> delays;

  [[nodiscard]] const PortId* portsOf(const ExchangeStream& stream) const {
    return ports.data() + stream.first_port;
  }
  [[nodiscard]] const PortId* receiversOf(const ExchangeStream& stream) const {
    return portsOf(stream) + stream.send_ports;
  }
};

/// Gives the streams of one Exchange step, in the order of its messages.
///
/// A stream is doubled where the tiles that share a bus all receive equal data. A doubled stream
/// leaves at twice the rate and holds the send ports of the sender's whole bus group. The sender's
/// own bus group takes the data at the plain rate. A receiver issues a number of control
/// instructions for each consecutive piece that lands. They issue beside the words, so that a
/// message takes its receiver the longer of the two.
///
/// Source: poplibs lib/poplin/ExchangeEstimator.hpp and lib/popops/ExchangeEstimator.cpp (when a
/// stream is shared), osmarks/ipu-stack (paired mode; EXCHANGE_INSTRUCTION_REFERENCE.md,
/// `sendpicp`, has four messages of 52 words from four senders in 52 events each).
StreamSet streamsOf(const Interconnect& interconnect, const Step& step,
                    const std::vector<Block>& blocks);

}  // namespace ipusim::compiler
