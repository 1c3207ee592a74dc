// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/exchange_schedule.h"

#include <algorithm>

#include "sim/compile/stream_split.h"

namespace ipusim::compiler {

namespace {

/// A schedule this close to the bound, in parts of 1000, is not improved.
constexpr std::uint64_t kGoodEnough = 1020;
/// Splitting costs exchange code: it has to make the phase this much shorter.
constexpr std::uint64_t kWorthSplitting = 990;
constexpr std::uint64_t kThousand = 1000;
/// Slots of the time in which gaps are looked for: of the bound, and of a port's average stream.
constexpr std::uint64_t kSlots = 512;

/// How many cycles the stream holds its `p`-th port.
Cycles usedBy(const Stream& stream, std::uint32_t p) {
  return p < stream.send_ports ? stream.send : stream.receive;
}

struct Start {
  std::vector<Cycles> starts;
  Cycles length;
};

/// Streams in this order, each as soon as all its ports have done those before it.
Start startInOrder(const StreamSet& set, const StreamOrder& order, std::uint32_t tiles) {
  std::vector<Cycles> free(std::size_t{2} * tiles);
  Start result;
  result.starts.reserve(order.size());
  for (const std::uint32_t s : order) {
    const Stream& stream = set.streams[s];
    const PortId* ports = set.portsOf(stream);
    Cycles start = stream.delay;
    for (std::uint32_t p = 0; p < stream.ports(); ++p) start = std::max(start, free[ports[p]]);
    for (std::uint32_t p = 0; p < stream.ports(); ++p) free[ports[p]] = start + usedBy(stream, p);
    result.starts.push_back(start);
    result.length = std::max(result.length, start + std::max(stream.send, stream.receive));
  }
  return result;
}

bool isWithin(Cycles length, Cycles bound, std::uint64_t thousandths) {
  return kThousand * length <= thousandths * bound;
}

class Scheduler {
 public:
  Scheduler(StreamSet set, std::uint32_t tiles, Cycles bound) : tiles_(tiles), bound_(bound) {
    schedule_.set = std::move(set);
  }

  /// The best of the orders; one after another only while there is something to gain.
  Schedule run() {
    const Cycles slot(std::max<std::uint64_t>(1, ceilDiv(bound_.value(), kSlots)));
    tryOrder(orderByRounds(schedule_.set, tiles_, Sharing::LikeLengths));
    if (!isGood()) tryOrder(orderByGaps(schedule_.set, tiles_, slot));
    if (!isGood()) tryOrder(orderByRounds(schedule_.set, tiles_, Sharing::AllLengths));
    return std::move(schedule_);
  }

 private:
  [[nodiscard]] bool isGood() const { return isWithin(schedule_.length, bound_, kGoodEnough); }

  void tryOrder(StreamOrder order) {
    const bool first = schedule_.order.empty();
    Start start = startInOrder(schedule_.set, order, tiles_);
    if (!first && start.length >= schedule_.length) return;
    schedule_.order = std::move(order);
    schedule_.starts = std::move(start.starts);
    schedule_.length = start.length;
  }

  std::uint32_t tiles_;
  Cycles bound_;
  Schedule schedule_;
};

}  // namespace

Cycles portBound(const StreamSet& set, std::uint32_t tiles) {
  struct Port {
    Cycles first{~std::uint64_t{0}};
    Cycles load;
  };
  std::vector<Port> of(std::size_t{2} * tiles);
  Cycles bound;
  for (const Stream& stream : set.streams) {
    const PortId* ports = set.portsOf(stream);
    for (std::uint32_t p = 0; p < stream.ports(); ++p) {
      Port& port = of[ports[p]];
      port.first = std::min(port.first, set.delays[stream.first_port + p]);
      port.load += usedBy(stream, p);
      bound = std::max(bound, port.first + port.load);
    }
  }
  return bound;
}

Schedule scheduleStreams(const models::Machine& machine, StreamSet set) {
  const Cycles bound = portBound(set, machine.tiles);
  Schedule whole = Scheduler(std::move(set), machine.tiles, bound).run();
  if (isWithin(whole.length, bound, kGoodEnough)) return whole;
  StreamSet parts = splitMulticasts(machine, whole.set, bound);
  if (parts.streams.size() == whole.set.streams.size()) return whole;
  Schedule split = Scheduler(std::move(parts), machine.tiles, bound).run();
  return isWithin(split.length, whole.length, kWorthSplitting) ? split : whole;
}

}  // namespace ipusim::compiler
