// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <queue>
#include <tuple>

#include "sim/compile/stream_order.h"

namespace ipusim::compiler {

namespace {

constexpr Cycles kNever(~std::uint64_t{0});

class Dispatcher {
 public:
  Dispatcher(const StreamSet& set, std::uint32_t tiles)
      : set_(set),
        tiles_(tiles),
        free_(std::size_t{2} * tiles),
        left_(std::size_t{2} * tiles),
        waiting_(tiles) {}

  StreamOrder run() {
    for (std::uint32_t s = 0; s < set_.streams.size(); ++s) {
      const Stream& stream = set_.streams[s];
      waiting_[stream.sender].push_back(s);
      left_[stream.sender] += stream.send;
      left_[*set_.receiversOf(stream)] += stream.receive;
    }
    for (std::uint32_t tile = 0; tile < tiles_; ++tile) look(tile, Cycles(0));
    while (!looks_.empty()) {
      const Look next = looks_.top();
      looks_.pop();
      dispatch(next.tile, next.at);
    }
    return std::move(order_);
  }

 private:
  /// A tile looks for something to send.
  struct Look {
    Cycles at;
    Cycles left;
    std::uint32_t tile;

    /// Later, or with less to do.
    friend bool operator<(const Look& a, const Look& b) {
      return std::tie(b.at, a.left, b.tile) < std::tie(a.at, b.left, a.tile);
    }
  };

  void look(std::uint32_t tile, Cycles at) {
    if (!waiting_[tile].empty()) looks_.push({at, left_[tile], tile});
  }

  [[nodiscard]] Cycles readyAt(const Stream& stream) const {
    const PortId* ports = set_.portsOf(stream);
    Cycles ready = stream.delay;
    for (std::uint32_t p = 0; p < stream.ports(); ++p) ready = std::max(ready, free_[ports[p]]);
    return ready;
  }

  /// Sends what can go now, to the receiver that has most left; else looks again when there may be
  /// something.
  void dispatch(std::uint32_t tile, Cycles now) {
    std::vector<std::uint32_t>& waiting = waiting_[tile];
    Cycles soonest = kNever;
    std::size_t best = waiting.size();
    Cycles most;
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      const Stream& stream = set_.streams[waiting[i]];
      const Cycles ready = readyAt(stream);
      soonest = std::min(soonest, ready);
      const Cycles left = left_[*set_.receiversOf(stream)];
      if (ready > now || (best < waiting.size() && left <= most)) continue;
      best = i;
      most = left;
    }
    if (best == waiting.size()) {
      look(tile, soonest);
      return;
    }
    const std::uint32_t s = waiting[best];
    waiting.erase(waiting.begin() + static_cast<std::ptrdiff_t>(best));
    send(s, now);
    look(tile, free_[tile]);
  }

  void send(std::uint32_t s, Cycles now) {
    const Stream& stream = set_.streams[s];
    const PortId* ports = set_.portsOf(stream);
    for (std::uint32_t p = 0; p < stream.ports(); ++p) {
      free_[ports[p]] = now + (p < stream.send_ports ? stream.send : stream.receive);
    }
    left_[stream.sender] = excess(left_[stream.sender], stream.send);
    PortId receiver = *set_.receiversOf(stream);
    left_[receiver] = excess(left_[receiver], stream.receive);
    order_.push_back(s);
  }

  const StreamSet& set_;
  std::uint32_t tiles_;
  std::vector<Cycles> free_;                         // a port: from when on
  std::vector<Cycles> left_;                         // a port: what its streams still take
  std::vector<std::vector<std::uint32_t>> waiting_;  // a tile: what it has still to send
  std::priority_queue<Look> looks_;
  StreamOrder order_;
};

}  // namespace

StreamOrder orderByDispatch(const StreamSet& set, std::uint32_t tiles) {
  return Dispatcher(set, tiles).run();
}

}  // namespace ipusim::compiler
