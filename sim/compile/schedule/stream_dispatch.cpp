// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>
#include <vector>

#include "ipusim/error.h"
#include "sim/compile/schedule/bits.h"
#include "sim/compile/schedule/stream_order.h"

namespace ipusim::compiler {

namespace {

constexpr Cycles kNoTurn(~std::uint64_t{0});
constexpr std::uint32_t kMostStreams = ~std::uint32_t{0} >> 1U;

/// When each tile next looks for something to send. A ring has one list of tiles per cycle.
class TimingWheel {
 public:
  /// No look is more than `furthest` cycles after the last look that was taken.
  TimingWheel(std::uint32_t tiles, Cycles furthest) : next_(tiles) {
    std::size_t size = kWordBits;
    while (size <= furthest.value()) size *= 2;
    first_.resize(size, kNone);
    filled_.resize(size / kWordBits);
  }

  void add(std::uint32_t tile, Cycles at) {
    const std::size_t place = at.value() & (first_.size() - 1);
    next_[tile] = first_[place];
    first_[place] = tile;
    filled_[place / kWordBits] |= std::uint64_t{1} << (place % kWordBits);
    ++waiting_;
  }

  [[nodiscard]] bool empty() const { return waiting_ == 0; }

  /// Goes to the next cycle at which a tile looks, and takes all tiles that look at that cycle.
  Cycles take(std::vector<std::uint32_t>& tiles) {
    std::uint64_t ahead = filledFrom(now_);
    while (ahead == 0) {
      now_ += kWordBits - now_ % kWordBits;
      ahead = filledFrom(now_);
    }
    now_ += lowestBit(ahead);
    const std::size_t place = placeOf(now_);
    tiles.clear();
    for (std::uint32_t tile = first_[place]; tile != kNone; tile = next_[tile]) {
      tiles.push_back(tile);
    }
    waiting_ -= tiles.size();
    first_[place] = kNone;
    filled_[place / kWordBits] ^= std::uint64_t{1} << (place % kWordBits);
    return Cycles(now_);
  }

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  [[nodiscard]] std::size_t placeOf(std::uint64_t cycle) const {
    return cycle & (first_.size() - 1);
  }
  /// The bits of a word from this cycle on; the bit of this cycle is the lowest.
  [[nodiscard]] std::uint64_t filledFrom(std::uint64_t cycle) const {
    return filled_[placeOf(cycle) / kWordBits] >> (cycle % kWordBits);
  }

  std::vector<std::uint32_t> first_;   // one entry per cycle: the first tile of its list
  std::vector<std::uint32_t> next_;    // one entry per tile: the next tile in its list
  std::vector<std::uint64_t> filled_;  // one bit per cycle
  std::uint64_t now_ = 0;
  std::size_t waiting_ = 0;
};

/// How far in advance a tile may know when it can send.
Cycles longestOf(const StreamSet& set) {
  Cycles longest;
  for (const ExchangeStream& stream : set.streams) {
    longest = std::max({longest, stream.delay, stream.send, stream.receive});
  }
  return longest;
}

class Dispatcher {
 public:
  Dispatcher(const StreamSet& set, std::uint32_t tiles, Cycles most)
      : set_(set),
        most_(most),
        free_(portsOf(tiles)),
        left_(portsOf(tiles)),
        of_tile_(tiles),
        waiting_(set.streams.size()),
        wheel_(tiles, longestOf(set)) {
    check(set.streams.size() <= kMostStreams, "streams that a dispatch may have");
    order_.reserve(set.streams.size());
    findTiles();
    for (std::uint32_t s = 0; s < set.streams.size(); ++s) {
      const ExchangeStream& stream = set.streams[s];
      const PortId receiver = *set.receiversOf(stream);
      waiting_[of_tile_[stream.sender.tile()].end++] = {stream.delay, receiver, s & kMostStreams,
                                                        stream.kind == StreamKind::Doubled};
      left_[indexOf(sendPort(stream.sender))] += stream.send;
      left_[indexOf(receiver)] += stream.receive;
    }
    for (std::uint32_t tile = 0; tile < tiles; ++tile) {
      if (!of_tile_[tile].empty()) wheel_.add(tile, Cycles(0));
    }
  }

  std::optional<StreamOrder> run() {
    std::vector<std::uint32_t> looking;
    while (!wheel_.empty()) {
      const Cycles now = wheel_.take(looking);
      // Tiles with most left to send go first.
      std::sort(looking.begin(), looking.end(), [this](std::uint32_t a, std::uint32_t b) {
        return std::tie(leftToSend(b), a) < std::tie(leftToSend(a), b);
      });
      for (const std::uint32_t tile : looking) {
        if (isTooLong(now, sendPort(TileId(tile)))) return std::nullopt;
        const Cycles next = dispatch(tile, now);
        if (!of_tile_[tile].empty()) wheel_.add(tile, next);
      }
    }
    return std::move(order_);
  }

 private:
  /// True when a port that has done none of its remaining work by `now` must take more time than is
  /// allowed.
  [[nodiscard]] bool isTooLong(Cycles now, PortId port) const {
    return left_[indexOf(port)] > excess(most_, now);
  }

  [[nodiscard]] const Cycles& leftToSend(std::uint32_t tile) const {
    return left_[indexOf(sendPort(TileId(tile)))];
  }

  /// A stream that a tile still has to send, with what every look asks about it.
  struct PendingStream {
    Cycles delay;
    PortId receiver;  ///< the first receiver
    std::uint32_t stream : 31;
    bool is_doubled : 1;
  };

  /// Where the streams that a tile still has to send stand in `waiting_`.
  struct Place {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;

    [[nodiscard]] bool empty() const { return begin == end; }
  };

  /// Gives every tile a place for all its streams. The places are still empty.
  void findTiles() {
    for (const ExchangeStream& stream : set_.streams) ++of_tile_[stream.sender.tile()].end;
    std::uint32_t begin = 0;
    for (Place& place : of_tile_) {
      const std::uint32_t count = place.end;
      place = {begin, begin};
      begin += count;
    }
  }

  [[nodiscard]] Cycles readyAt(const PendingStream& waiting, Cycles sender_free) const {
    Cycles ready = std::max({waiting.delay, sender_free, free_[indexOf(waiting.receiver)]});
    if (!waiting.is_doubled) return ready;
    const ExchangeStream& stream = set_.streams[waiting.stream];
    const PortId* ports = set_.portsOf(stream);
    for (std::uint32_t p = 0; p < stream.ports(); ++p)
      ready = std::max(ready, free_[indexOf(ports[p])]);
    return ready;
  }

  /// Sends a stream that can go now, to the receiver that has most left. Returns when the tile
  /// looks again: after the stream, or when one may be able to go.
  Cycles dispatch(std::uint32_t tile, Cycles now) {
    Place& place = of_tile_[tile];
    const PortId port = sendPort(TileId(tile));
    const Cycles sender_free = free_[indexOf(port)];
    Cycles soonest = kNoTurn;
    std::uint32_t best = place.end;
    Cycles most;
    for (std::uint32_t i = place.begin; i < place.end; ++i) {
      const Cycles ready = readyAt(waiting_[i], sender_free);
      soonest = std::min(soonest, ready);
      if (ready > now) continue;
      const Cycles left = left_[indexOf(waiting_[i].receiver)];
      if (best < place.end && left <= most) continue;
      best = i;
      most = left;
    }
    if (best == place.end) return soonest;
    const std::uint32_t s = waiting_[best].stream;
    std::copy(waiting_.begin() + best + 1, waiting_.begin() + place.end, waiting_.begin() + best);
    --place.end;
    send(s, now);
    return free_[indexOf(port)];
  }

  void send(std::uint32_t s, Cycles now) {
    const ExchangeStream& stream = set_.streams[s];
    const PortId* ports = set_.portsOf(stream);
    for (std::uint32_t p = 0; p < stream.ports(); ++p) {
      free_[indexOf(ports[p])] = now + (p < stream.send_ports ? stream.send : stream.receive);
    }
    Cycles& to_send = left_[indexOf(sendPort(stream.sender))];
    to_send = excess(to_send, stream.send);
    Cycles& to_receive = left_[indexOf(*set_.receiversOf(stream))];
    to_receive = excess(to_receive, stream.receive);
    order_.push_back(s);
  }

  const StreamSet& set_;
  Cycles most_;                         // what all streams together may take
  std::vector<Cycles> free_;            // one entry per port: from when on it is free
  std::vector<Cycles> left_;            // one entry per port: what its streams still take
  std::vector<Place> of_tile_;          // one entry per tile
  std::vector<PendingStream> waiting_;  // the streams of tile after tile
  TimingWheel wheel_;
  StreamOrder order_;
};

}  // namespace

std::optional<StreamOrder> orderByDispatch(const StreamSet& set, std::uint32_t tiles, Cycles most) {
  return Dispatcher(set, tiles, most).run();
}

}  // namespace ipusim::compiler
