// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/schedule/exchange_plan.h"

#include <algorithm>
#include <utility>

#include "models/ipu/cost/exchange/exchange.h"
#include "sim/compile/schedule/exchange_numbers.h"
#include "sim/compile/schedule/exchange_schedule.h"

namespace ipusim::compiler {

namespace {

/// What each tile sends and receives in the streams, whenever the streams start.
std::vector<TileExchange> partsOf(const StreamSet& set, std::uint32_t tiles) {
  std::vector<TileExchange> parts(tiles);
  for (const ExchangeStream& stream : set.streams) {
    parts[stream.sender.tile()].send_instructions += stream.send_instructions;
    const PortId* receivers = set.receiversOf(stream);
    for (std::uint32_t r = 0; r < stream.receive_ports; ++r) {
      TileExchange& receiver = parts[tileOf(receivers[r]).tile()];
      receiver.receive_instructions += stream.receive_instructions;
      receiver.received += stream.bytes;
    }
  }
  return parts;
}

/// The words of the streams. A stream is sent once, and every receiver receives it.
std::vector<TileWords> wordsOf(const StreamSet& set, std::uint32_t tiles) {
  std::vector<TileWords> words(tiles);
  for (const ExchangeStream& stream : set.streams) {
    words[stream.sender.tile()].sent += stream.words;
    const PortId* receivers = set.receiversOf(stream);
    for (std::uint32_t r = 0; r < stream.receive_ports; ++r) {
      words[tileOf(receivers[r]).tile()].received += stream.words;
    }
  }
  return words;
}

/// Notes that a port is held until `end` on the clock of its tile. The tile is `distance` from the
/// sync controller.
void holdUntil(Cycles end, Cycles distance, TileExchange& part) {
  part.ports_free = std::max(part.ports_free, end + distance);
}

/// The distance of every tile from the sync controller.
std::vector<Cycles> syncDistances(const Interconnect& interconnect) {
  std::vector<Cycles> distances(interconnect.tiles);
  for (std::uint32_t t = 0; t < interconnect.tiles; ++t) {
    distances[t] = models::syncDistance(interconnect, t);
  }
  return distances;
}

/// A stream on one of its ports.
struct BoundUse {
  Cycles start;
  Cycles length;
};

/// When the port has finished. Each stream starts as soon as the one before it is over; the stream
/// that could start soonest goes first.
Cycles packPort(std::vector<BoundUse>& uses) {
  std::stable_sort(uses.begin(), uses.end(),
                   [](const BoundUse& a, const BoundUse& b) { return a.start < b.start; });
  Cycles free;
  for (const BoundUse& use : uses) free = std::max(use.start, free) + use.length;
  return free;
}

/// The streams of each port, indexed by port.
std::vector<std::vector<BoundUse>> usesOf(const StreamSet& set, std::uint32_t tiles) {
  std::vector<std::vector<BoundUse>> uses(portsOf(tiles));
  for (const ExchangeStream& stream : set.streams) {
    const PortId* ports = set.portsOf(stream);
    for (std::uint32_t p = 0; p < stream.ports(); ++p) {
      const Cycles length = p < stream.send_ports ? stream.send : stream.receive;
      uses[indexOf(ports[p])].push_back({set.delays[stream.first_port + p], length});
    }
  }
  return uses;
}

class ScheduleWriter {
 public:
  ScheduleWriter(const Interconnect& interconnect, const Schedule& schedule)
      : distances_(syncDistances(interconnect)), set_(schedule.set) {
    plan_.tiles = partsOf(set_, interconnect.tiles);
    plan_.words = wordsOf(set_, interconnect.tiles);
    plan_.transmissions.reserve(set_.streams.size());
    plan_.transmission_tiles.reserve(set_.ports.size() - set_.streams.size());
  }

  /// Adds the stream, which starts at `start`.
  void add(const ExchangeStream& stream, Cycles start) {
    Transmission transmission{};
    transmission.from = stream.sender;
    transmission.first_tile = static_cast<std::uint32_t>(plan_.transmission_tiles.size());
    transmission.lenders = stream.send_ports - 1;
    transmission.receivers = stream.receive_ports;
    transmission.start = start;
    transmission.length = stream.send;
    transmission.control = excess(stream.receive, stream.send);
    transmission.bytes = stream.bytes;
    plan_.transmissions.push_back(transmission);
    const PortId* ports = set_.portsOf(stream);
    for (std::uint32_t p = 0; p < stream.ports(); ++p) addPort(stream, ports[p], p, start);
  }

  ExchangePlan take() { return std::move(plan_); }

 private:
  void addPort(const ExchangeStream& stream, PortId port, std::uint32_t place, Cycles start) {
    const bool sends = place < stream.send_ports;
    const TileId tile = tileOf(port);
    const Cycles end = start + (sends ? stream.send : stream.receive);
    holdUntil(end, distances_[tile.tile()], plan_.tiles[tile.tile()]);
    if (!sends || tile != stream.sender) plan_.transmission_tiles.push_back(tile);
  }

  const std::vector<Cycles> distances_;
  const StreamSet& set_;
  ExchangePlan plan_;
};

/// Adds each tile's part to `code`.
void addExchangeCode(const ExchangePlan& plan, std::vector<ExchangeCode>& code) {
  for (std::size_t t = 0; t < plan.tiles.size(); ++t) {
    const TileExchange& tile = plan.tiles[t];
    if (!tile.takesPart()) continue;
    ++code[t].exchanges;
    code[t].send_instructions += tile.send_instructions;
    code[t].receive_instructions += tile.receive_instructions;
  }
}

ExchangeVolume volumeOf(const Step& step, const ExchangePlan& plan) {
  ExchangeVolume volume;
  volume.messages = step.messages.size();
  for (const TileExchange& tile : plan.tiles) {
    volume.bytes += tile.received;
    volume.max_tile_bytes = std::max(volume.max_tile_bytes, tile.received);
  }
  return volume;
}

/// The number of the plan of every Exchange step.
std::map<StepId, std::uint32_t> planNumbers(const Lowered& lowered) {
  ExchangeNumbers numbers(lowered);
  std::map<StepId, std::uint32_t> of_step;
  for (std::uint32_t s = 0; s < lowered.steps.size(); ++s) {
    if (lowered.steps[s].kind != StepKind::Exchange) continue;
    of_step.emplace_hint(of_step.end(), StepId{s}, numbers.of(StepId{s}));
  }
  return of_step;
}

/// How often each plan is executed, over all steps that share it.
std::vector<std::uint64_t> timesOfPlans(const Lowered& lowered,
                                        const std::map<StepId, std::uint32_t>& of_step) {
  const std::vector<std::uint64_t> iterations = iterationsOf(lowered.control, lowered.steps.size());
  std::vector<std::uint64_t> times;
  for (const auto& [step, number] : of_step) {
    if (number == times.size()) times.push_back(0);
    times[number] = cappedSum(times[number], iterations[indexOf(step)]);
  }
  return times;
}

/// The activity of one execution of a plan. Adds that of `times` executions to each tile.
Activity activityOf(const std::vector<TileWords>& words, const Interconnect& interconnect,
                    std::uint64_t times, std::vector<Activity>& of_tile) {
  Activity all;
  for (std::uint32_t t = 0; t < words.size(); ++t) {
    if (words[t].sent == 0 && words[t].received == 0) continue;
    const Activity tile = activityOfWords(words[t], words[t].sent, interconnect, t);
    all += tile;
    of_tile[t] += tile * times;
  }
  return all;
}

}  // namespace

Activity activityOfWords(const TileWords& words, std::uint64_t on_spine,
                         const Interconnect& interconnect, std::uint32_t tile) {
  Activity activity;
  activity.sent_words = words.sent;
  activity.received_words = words.received;
  activity.column_word_rows =
      (words.sent + words.received) * models::rowsToSpine(interconnect, tile);
  activity.spine_words = on_spine;
  return activity;
}

ExchangePlan planExchange(const Interconnect& interconnect, ExchangeMode mode, const Step& step,
                          const std::vector<Block>& blocks) {
  return mode == ExchangeMode::Bound ? planBoundExchange(interconnect, step, blocks)
                                     : planScheduledExchange(interconnect, step, blocks);
}

ExchangePlan planBoundExchange(const Interconnect& interconnect, const Step& step,
                               const std::vector<Block>& blocks) {
  const StreamSet set = streamsOf(interconnect, step, blocks);
  std::vector<std::vector<BoundUse>> uses = usesOf(set, interconnect.tiles);
  ExchangePlan plan;
  plan.mode = ExchangeMode::Bound;
  plan.tiles = partsOf(set, interconnect.tiles);
  plan.words = wordsOf(set, interconnect.tiles);
  for (std::size_t port = 0; port < uses.size(); ++port) {
    if (uses[port].empty()) continue;
    const std::uint32_t tile = tileOf(PortId(port)).tile();
    holdUntil(packPort(uses[port]), models::syncDistance(interconnect, tile), plan.tiles[tile]);
  }
  return plan;
}

ExchangePlan planScheduledExchange(const Interconnect& interconnect, const Step& step,
                                   const std::vector<Block>& blocks) {
  const Schedule schedule = scheduleStreams(interconnect, streamsOf(interconnect, step, blocks));
  ScheduleWriter writer(interconnect, schedule);
  for (std::size_t i = 0; i < schedule.order.size(); ++i) {
    writer.add(schedule.set.streams[schedule.order[i]], schedule.starts[i]);
  }
  return writer.take();
}

Scheduled schedule(const Lowered& lowered, const Interconnect& interconnect, ExchangeMode mode) {
  Scheduled scheduled;
  scheduled.traffic.volumes.resize(lowered.steps.size());
  scheduled.traffic.exchange_code.resize(interconnect.tiles);
  scheduled.traffic.activity_of_tile.resize(interconnect.tiles);
  std::map<StepId, std::uint32_t>& of_step = scheduled.plans.of_step;
  of_step = planNumbers(lowered);
  const std::vector<std::uint64_t> times = timesOfPlans(lowered, of_step);
  std::vector<ExchangePlan>& plans = scheduled.plans.plans;
  std::vector<Activity> activities;
  for (const auto& [step, number] : of_step) {
    if (number == plans.size()) {
      plans.push_back(
          planExchange(interconnect, mode, lowered.steps[indexOf(step)], lowered.blocks));
      const std::vector<TileWords> words = std::exchange(plans.back().words, {});
      activities.push_back(
          activityOf(words, interconnect, times[number], scheduled.traffic.activity_of_tile));
    }
    ExchangeVolume& volume = scheduled.traffic.volumes[indexOf(step)];
    volume = volumeOf(lowered.steps[indexOf(step)], plans[number]);
    volume.activity = activities[number];
    addExchangeCode(plans[number], scheduled.traffic.exchange_code);
  }
  return scheduled;
}

}  // namespace ipusim::compiler
