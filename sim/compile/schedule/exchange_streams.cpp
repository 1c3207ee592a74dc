// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/schedule/exchange_streams.h"

#include <algorithm>

#include "models/ipu/cost/exchange/exchange.h"
#include "sim/compile/lower/hash_index.h"

namespace ipusim::compiler {

namespace {

Walk<BlockOffsets> walkOf(const MessageForm& form) {
  Walk<BlockOffsets> walk;
  walk.levels.assign(form.levels.begin(), form.levels.end());
  return walk;
}

/// How many consecutive pieces one end of a message has.
std::uint64_t piecesOf(Walk<Bytes> end, Bytes unit) {
  end.levels.push_back({unit.value(), Bytes(1)});
  end.normalize();
  const bool in_runs = !end.levels.empty() && end.levels.back().stride == Bytes(1);
  return in_runs ? end.elements() / end.levels.back().count : end.elements();
}

/// Adds a stream and its delays. The last entries of `set.ports` are the ports of the stream.
void addStream(StreamSet& set, ExchangeStream stream, const models::StartDelays& delays) {
  const PortId* receivers = set.receiversOf(stream);
  stream.delay = Cycles(0);
  Cycles soonest(~std::uint64_t{0});
  set.delays.resize(set.ports.size());
  Cycles* of_receivers = set.delays.data() + stream.first_port + stream.send_ports;
  for (std::uint32_t r = 0; r < stream.receive_ports; ++r) {
    const Cycles delay = delays(stream.sender.tile(), tileOf(receivers[r]).tile());
    of_receivers[r] = delay;
    stream.delay = std::max(stream.delay, delay);
    soonest = std::min(soonest, delay);
  }
  std::fill(of_receivers - stream.send_ports, of_receivers, soonest);
  set.streams.push_back(stream);
}

class StreamBuilder {
 public:
  StreamBuilder(const Interconnect& interconnect, const Step& step,
                const std::vector<Block>& blocks)
      : interconnect_(interconnect), step_(step), blocks_(blocks), delays_(interconnect) {
    const std::size_t pairs = std::size_t{interconnect.tiles} * interconnect.tiles;
    const std::size_t streams = std::min<std::size_t>(step.messages.size(), pairs);
    set_.streams.reserve(streams);
    set_.ports.reserve(2 * streams);
    if (pairs <= kPairsForMessage * step.messages.size()) of_pair_.resize(pairs, kNoStream);
    for (const MessageForm& form : step.messages.forms()) costs_.push_back(costOf(form));
  }

  StreamSet run() {
    step_.messages.forEach([this](const Message& message) { place(message); });
    return std::move(set_);
  }

 private:
  static constexpr std::uint32_t kNoStream = ~std::uint32_t{0};
  /// A table of all pairs of tiles is quickest when it has at most this many pairs per message.
  static constexpr std::size_t kPairsForMessage = 8;

  void place(const Message& message) {
    const TileId sender = blocks_[indexOf(message.from)].tile;
    message_ = costs_[message.form];
    message_.sender = sender;
    if (message.list == Message::kNoList) {
      placeOne(blocks_[indexOf(message.to)].tile);
      return;
    }
    if (last_list_ == message.list && last_sender_ == sender) {
      for (const std::uint32_t s : last_streams_) extend(set_.streams[s]);
      return;
    }
    last_list_ = message.list;
    last_sender_ = sender;
    last_streams_.clear();
    findTiles(message);
    // A tile where the data lands at two places listens twice.
    while (!tiles_.empty()) {
      split(sender);
      add(StreamKind::Plain, plain_);
      add(StreamKind::Doubled, doubled_);
      tiles_.swap(again_);
    }
  }

  [[nodiscard]] ExchangeStream costOf(const MessageForm& form) const {
    const std::uint64_t units = form.units();
    const Walk<BlockOffsets> walk = walkOf(form);
    ExchangeStream cost{};
    cost.bytes = units * form.unit;
    cost.words = form.words();
    // Each unit starts on a new word.
    cost.send = models::portCycles(interconnect_, form.unit) * units;
    cost.send_instructions = piecesOf(fromEnd(walk), form.unit);
    cost.receive_instructions = piecesOf(toEnd(walk), form.unit);
    return cost;
  }

  /// One receiver takes a plain stream, because it is no bus group of several tiles.
  void placeOne(TileId receiver) {
    tiles_.assign(1, receiver);
    const std::uint32_t found = streamTo(StreamKind::Plain, tiles_);
    if (found == set_.streams.size()) open(StreamKind::Plain, tiles_);
    extend(set_.streams[found]);
  }

  void findTiles(const Message& message) {
    tiles_.clear();
    step_.messages.forEachDestination(message, [this](const Destination& destination) {
      tiles_.push_back(blocks_[indexOf(destination.block)].tile);
    });
    if (!std::is_sorted(tiles_.begin(), tiles_.end())) std::sort(tiles_.begin(), tiles_.end());
  }

  [[nodiscard]] std::uint32_t groupOf(TileId tile) const {
    return tile.tile() / interconnect_.fabric.tiles_per_bus;
  }

  /// Sorts `tiles_` into plain_, doubled_ and again_.
  void split(TileId sender) {
    plain_.clear();
    doubled_.clear();
    again_.clear();
    const std::uint32_t bus = interconnect_.fabric.tiles_per_bus;
    for (std::size_t i = 0; i < tiles_.size();) {
      const std::uint32_t group = groupOf(tiles_[i]);
      const std::size_t first = plain_.size();
      for (; i < tiles_.size() && groupOf(tiles_[i]) == group; ++i) {
        const bool is_new = plain_.size() == first || plain_.back() != tiles_[i];
        (is_new ? plain_ : again_).push_back(tiles_[i]);
      }
      const bool whole = bus > 1 && plain_.size() - first == bus;
      if (!whole || group == groupOf(sender)) continue;
      doubled_.insert(doubled_.end(), plain_.end() - bus, plain_.end());
      plain_.resize(first);
    }
  }

  /// Adds the message to the stream from its sender to `tiles`.
  void add(StreamKind kind, const std::vector<TileId>& tiles) {
    if (tiles.empty()) return;
    const std::uint32_t found = streamTo(kind, tiles);
    if (found == set_.streams.size()) open(kind, tiles);
    last_streams_.push_back(found);
    extend(set_.streams[found]);
  }

  /// The number of the stream from the message's sender to `tiles`; the next free number if there
  /// is none yet.
  std::uint32_t streamTo(StreamKind kind, const std::vector<TileId>& tiles) {
    const auto next = static_cast<std::uint32_t>(set_.streams.size());
    if (!of_pair_.empty() && kind == StreamKind::Plain && tiles.size() == 1) {
      const std::size_t sender = message_.sender.tile();
      std::uint32_t& stream = of_pair_[sender * interconnect_.tiles + tiles.front().tile()];
      if (stream == kNoStream) stream = next;
      return stream;
    }
    constexpr std::size_t kHashFactor = 0x9E3779B97F4A7C15U;
    std::size_t hash = message_.sender.tile() * std::size_t{2} + static_cast<unsigned>(kind);
    for (const TileId tile : tiles) hash = hash * kHashFactor + tile.tile();
    return streams_.findOrAdd(
        hash, next, [this, kind, &tiles](std::uint32_t s) { return isFor(s, kind, tiles); });
  }

  [[nodiscard]] bool isFor(std::uint32_t s, StreamKind kind,
                           const std::vector<TileId>& tiles) const {
    const ExchangeStream& stream = set_.streams[s];
    const PortId* receivers = set_.receiversOf(stream);
    return stream.sender == message_.sender && stream.kind == kind &&
           std::equal(tiles.begin(), tiles.end(), receivers, receivers + stream.receive_ports,
                      [](TileId tile, PortId port) { return receivePort(tile) == port; });
  }

  void open(StreamKind kind, const std::vector<TileId>& tiles) {
    ExchangeStream stream{};
    stream.sender = message_.sender;
    stream.kind = kind;
    stream.first_port = static_cast<std::uint32_t>(set_.ports.size());
    if (kind == StreamKind::Plain) {
      set_.ports.push_back(sendPort(stream.sender));
    } else {
      const std::uint32_t bus = interconnect_.fabric.tiles_per_bus;
      const std::uint32_t first = groupOf(stream.sender) * bus;
      const std::uint32_t end = std::min(first + bus, interconnect_.tiles);
      for (std::uint32_t t = first; t < end; ++t) set_.ports.push_back(sendPort(TileId(t)));
    }
    stream.send_ports = static_cast<std::uint32_t>(set_.ports.size()) - stream.first_port;
    stream.receive_ports = static_cast<std::uint32_t>(tiles.size());
    for (const TileId tile : tiles) set_.ports.push_back(receivePort(tile));
    addStream(set_, stream, delays_);
  }

  void extend(ExchangeStream& stream) const {
    const std::uint64_t speed =
        stream.kind == StreamKind::Plain ? 1 : interconnect_.fabric.tiles_per_bus;
    const Cycles payload(ceilDiv(message_.send.value(), speed));
    const Cycles control(interconnect_.fabric.receive_control_words *
                         message_.receive_instructions);
    stream.send += payload;
    stream.receive += std::max(payload, control);  // they issue beside the words
    stream.bytes += message_.bytes;
    stream.words += message_.words;
    stream.send_instructions += message_.send_instructions;
    stream.receive_instructions += message_.receive_instructions;
  }

  const Interconnect& interconnect_;
  const Step& step_;
  const std::vector<Block>& blocks_;
  models::StartDelays delays_;
  HashIndex streams_;
  // The number of a stream by sender and receiver; empty where a hash is better.
  std::vector<std::uint32_t> of_pair_;
  StreamSet set_;
  std::vector<ExchangeStream> costs_;  // one entry per form
  // What the message before had: the next message often takes the same route.
  std::uint32_t last_list_ = ~std::uint32_t{0};
  TileId last_sender_;
  std::vector<std::uint32_t> last_streams_;
  ExchangeStream message_{};   // sender and cost of the current message
  std::vector<TileId> tiles_;  // receivers of the current message, sorted
  std::vector<TileId> plain_;
  std::vector<TileId> doubled_;
  std::vector<TileId> again_;
};

}  // namespace

StreamSet streamsOf(const Interconnect& interconnect, const Step& step,
                    const std::vector<Block>& blocks) {
  return StreamBuilder(interconnect, step, blocks).run();
}

}  // namespace ipusim::compiler
