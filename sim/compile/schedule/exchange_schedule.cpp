// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/schedule/exchange_schedule.h"

#include <algorithm>
#include <array>
#include <optional>

#include "sim/compile/schedule/order_cache.h"
#include "sim/compile/schedule/stream_split.h"

namespace ipusim::compiler {

namespace {

// The ratios below are in percent.
constexpr std::uint64_t kHundred = 100;
/// A schedule this close to the bound is not improved. More trials would cost more than they gain,
/// above all where there is much to schedule.
constexpr std::uint64_t kGoodEnough = 102;
constexpr std::uint64_t kGoodEnoughIfLarge = 105;
constexpr std::uint64_t kFairIfLarge = 115;  // a schedule this close has at most two trials
constexpr std::size_t kLargePorts = 32'768;
/// How much of the bound a send port may be busy when multicasts are split. A port with spare time
/// is easier to find free. Where no port has spare time, the whole bound may still be best.
constexpr std::array<std::uint32_t, 2> kSplitLoads = {70, 100};
/// Splitting costs exchange code, so it must shorten the phase to at most this share.
constexpr std::uint64_t kWorthSplitting = 99;
/// The number of slots that the bound is divided into when gaps are looked for.
constexpr std::uint64_t kSlots = 512;
/// A dispatch looks at all streams of a tile for each stream of the tile. With more looks than this
/// it is not worth its time.
constexpr std::size_t kMostLooks = 1'000'000;
/// A dispatch keeps a ring of as many cycles as the longest stream has.
constexpr Cycles kLongestDispatched(std::uint64_t{1} << 22U);
/// With more lengths than these, rounds of like lengths are nearly empty.
constexpr std::size_t kFewLengths = 8;

constexpr Cycles kNever(~std::uint64_t{0});

/// How many cycles the stream holds its `p`-th port.
Cycles usedBy(const ExchangeStream& stream, std::uint32_t p) {
  return p < stream.send_ports ? stream.send : stream.receive;
}

struct Start {
  std::vector<Cycles> starts;
  Cycles length;
};

/// Starts the streams in this order, each as soon as all its ports have finished the streams before
/// it. None when that takes more than `most`.
std::optional<Start> startInOrder(const StreamSet& set, const StreamOrder& order,
                                  std::uint32_t tiles, Cycles most) {
  std::vector<Cycles> free(portsOf(tiles));
  Start result;
  result.starts.reserve(order.size());
  for (const std::uint32_t s : order) {
    const ExchangeStream& stream = set.streams[s];
    const PortId* const ports = set.portsOf(stream);
    const PortId* const receivers = ports + stream.send_ports;
    const PortId* const end = receivers + stream.receive_ports;
    Cycles start = stream.delay;
    for (const PortId* port = ports; port != end; ++port)
      start = std::max(start, free[indexOf(*port)]);
    for (const PortId* port = ports; port != receivers; ++port)
      free[indexOf(*port)] = start + stream.send;
    for (const PortId* port = receivers; port != end; ++port)
      free[indexOf(*port)] = start + stream.receive;
    result.starts.push_back(start);
    result.length = std::max(result.length, start + std::max(stream.send, stream.receive));
    if (result.length > most) return std::nullopt;
  }
  return result;
}

bool isWithin(Cycles length, Cycles bound, std::uint64_t hundredths) {
  return kHundred * length <= hundredths * bound;
}

/// The longest time that isWithin() that part of `whole`.
Cycles partOf(Cycles whole, std::uint64_t hundredths) {
  return Cycles((whole * hundredths).value() / kHundred);
}

bool isGood(Cycles length, Cycles bound, const StreamSet& set) {
  const bool large = set.ports.size() > kLargePorts;
  return isWithin(length, bound, large ? kGoodEnoughIfLarge : kGoodEnough);
}

class Scheduler {
 public:
  /// A schedule longer than `most` is of no use. `most` is at least as long as any good or fair
  /// schedule.
  Scheduler(StreamSet set, std::uint32_t tiles, Cycles bound, Cycles most)
      : tiles_(tiles), bound_(bound), most_(most) {
    schedule_.set = std::move(set);
  }

  /// Tries one order after another while there is something to gain, and returns the best. None
  /// when all of them take more than `most`.
  std::optional<Schedule> run() {
    const Cycles slot(std::max<std::uint64_t>(1, ceilDiv(bound_.value(), kSlots)));
    const StreamSet& set = schedule_.set;
    const std::size_t lengths = countLengths(set);
    if (lengths <= kFewLengths) tryOrder(orderByRounds(set, tiles_, Sharing::LikeLengths));
    if (!isDone()) tryOrder(orderByGaps(set, tiles_, slot));
    if (!isFair() && mayDispatch()) tryOrder(orderByDispatch(set, tiles_, most_));
    // With streams of one length, both ways of sharing give equal orders.
    if (!isFair() && lengths > 1) tryOrder(orderByRounds(set, tiles_, Sharing::AllLengths));
    if (!has_order_) return std::nullopt;
    return std::move(schedule_);
  }

 private:
  [[nodiscard]] bool mayDispatch() const {
    const std::vector<ExchangeStream>& streams = schedule_.set.streams;
    return streams.size() * (streams.size() / tiles_) <= kMostLooks &&
           std::all_of(streams.begin(), streams.end(), [](const ExchangeStream& stream) {
             return hasOneReceiver(stream) && stream.receive <= kLongestDispatched;
           });
  }

  [[nodiscard]] bool isDone() const {
    return has_order_ && isGood(schedule_.length, bound_, schedule_.set);
  }

  [[nodiscard]] bool isFair() const {
    const bool large = schedule_.set.ports.size() > kLargePorts;
    return isDone() || (has_order_ && large && isWithin(schedule_.length, bound_, kFairIfLarge));
  }

  /// Takes the order when it is shorter than those before it.
  void tryOrder(std::optional<StreamOrder> order) {
    if (!order) return;
    std::optional<Start> start = startInOrder(schedule_.set, *order, tiles_, most_);
    if (!start) return;
    schedule_.order = *std::move(order);
    schedule_.starts = std::move(start->starts);
    schedule_.length = start->length;
    has_order_ = true;
    most_ = excess(start->length, Cycles(1));
  }

  std::uint32_t tiles_;
  Cycles bound_;
  Cycles most_;  ///< the most that the next order may take
  bool has_order_ = false;
  Schedule schedule_;
};

}  // namespace

Cycles portBound(const StreamSet& set, std::uint32_t tiles) {
  struct Use {
    Cycles first = kNever;
    Cycles load;
  };
  std::vector<Use> of(portsOf(tiles));
  Cycles bound;
  for (const ExchangeStream& stream : set.streams) {
    const PortId* ports = set.portsOf(stream);
    for (std::uint32_t p = 0; p < stream.ports(); ++p) {
      Use& port = of[indexOf(ports[p])];
      port.first = std::min(port.first, set.delays[stream.first_port + p]);
      port.load += usedBy(stream, p);
      bound = std::max(bound, port.first + port.load);
    }
  }
  return bound;
}

namespace {

/// How long a send port may be busy when multicasts are split up to that load.
Cycles busyOf(Cycles bound, std::uint32_t load) {
  return Cycles(bound.value() * load / kHundred);
}

/// Whether a stream has several receivers, and so might be split.
bool haveMulticasts(const StreamSet& set) {
  return std::any_of(set.streams.begin(), set.streams.end(),
                     [](const ExchangeStream& stream) { return !hasOneReceiver(stream); });
}

}  // namespace

Schedule searchSchedule(const Interconnect& interconnect, StreamSet set) {
  const Cycles bound = portBound(set, interconnect.tiles);
  Schedule whole = Scheduler(std::move(set), interconnect.tiles, bound, kNever).run().value();
  if (!haveMulticasts(whole.set)) return whole;
  std::optional<Schedule> best;
  std::size_t streams = whole.set.streams.size();
  for (const std::uint32_t load : kSplitLoads) {
    const Cycles length = best ? best->length : whole.length;
    if (isGood(length, bound, whole.set)) break;
    const MulticastSplit parts(interconnect, whole.set, busyOf(bound, load));
    // More time never means fewer parts of a stream. As many streams as before are therefore the
    // streams that were tried already.
    if (parts.streams() == streams) continue;
    streams = parts.streams();
    if (!isWithin(parts.sendBound(), length, kWorthSplitting)) continue;
    const Cycles most = std::max(partOf(length, kWorthSplitting), partOf(bound, kFairIfLarge));
    std::optional<Schedule> split = Scheduler(parts.parts(), interconnect.tiles, bound, most).run();
    if (!split || !isWithin(split->length, length, kWorthSplitting)) continue;
    best = std::move(split);
    best->split_load = load;
  }
  return best ? *std::move(best) : std::move(whole);
}

namespace {

/// The schedule that was found before. None when `kept` belongs to other streams.
std::optional<Schedule> replay(const Interconnect& interconnect, const StreamSet& set,
                               CachedOrder kept) {
  Schedule schedule;
  schedule.split_load = kept.split_load;
  if (kept.split_load == 0) {
    schedule.set = set;
  } else {
    const Cycles bound = portBound(set, interconnect.tiles);
    schedule.set = MulticastSplit(interconnect, set, busyOf(bound, kept.split_load)).parts();
  }
  if (!isOrderOf(kept.order, schedule.set.streams.size())) return std::nullopt;
  Start start = startInOrder(schedule.set, kept.order, interconnect.tiles, kNever).value();
  schedule.order = std::move(kept.order);
  schedule.starts = std::move(start.starts);
  schedule.length = start.length;
  return schedule;
}

}  // namespace

Schedule scheduleStreams(const Interconnect& interconnect, StreamSet set) {
  if (!mayKeepOrder(set)) return searchSchedule(interconnect, std::move(set));
  std::string key = keyOf(interconnect, set);
  if (std::optional<CachedOrder> kept = findOrder(key)) {
    std::optional<Schedule> schedule = replay(interconnect, set, *std::move(kept));
    if (schedule) return *std::move(schedule);
  }
  Schedule schedule = searchSchedule(interconnect, std::move(set));
  cacheOrder(std::move(key), {schedule.split_load, schedule.order});
  return schedule;
}

}  // namespace ipusim::compiler
