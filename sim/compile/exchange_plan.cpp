// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/exchange_plan.h"

#include <algorithm>

#include "models/ipu/cost/exchange.h"
#include "sim/compile/exchange_schedule.h"

namespace ipusim::compiler {

using models::Machine;
using models::PortUse;

namespace {

class PlanWriter {
 public:
  explicit PlanWriter(const Machine& machine) : plan_(machine.tiles) {
    distances_.reserve(machine.tiles);
    for (std::uint32_t t = 0; t < machine.tiles; ++t) {
      distances_.push_back(models::syncDistance(machine, t));
    }
  }

  /// Makes room for the uses of these streams.
  void reserve(const StreamSet& set) {
    std::vector<std::uint32_t> uses(portsOf(plan_.size()));
    for (const PortId port : set.ports) ++uses[indexOf(port)];
    for (std::uint32_t t = 0; t < plan_.size(); ++t) {
      plan_[t].sends.reserve(uses[indexOf(sendPort(TileId(t)))]);
      plan_[t].receives.reserve(uses[indexOf(receivePort(TileId(t)))]);
    }
  }

  /// The stream on its ports, after what was added before. `start_of(p)`: on its p-th port.
  template <typename StartOf>
  void add(const StreamSet& set, const Stream& stream, const StartOf& start_of) {
    const PortId* port = set.portsOf(stream);
    for (std::uint32_t p = 0; p < stream.send_ports; ++p) {
      const std::uint32_t tile = tileOf(port[p]).tile();
      plan_[tile].sends.push_back({start_of(p) + distances_[tile], stream.send});
    }
    plan_[stream.sender.tile()].send_instructions += stream.send_instructions;
    for (std::uint32_t p = stream.send_ports; p < stream.ports(); ++p) {
      const std::uint32_t tile = tileOf(port[p]).tile();
      TileExchange& receiver = plan_[tile];
      receiver.receives.push_back({start_of(p) + distances_[tile], stream.receive});
      receiver.receive_instructions += stream.receive_instructions;
      receiver.received += stream.bytes;
    }
  }

  ExchangePlan take() { return std::move(plan_); }

 private:
  std::vector<Cycles> distances_;  // a tile: it goes on that long after the release
  ExchangePlan plan_;
};

/// Every use as soon as the one before it is over: what starts soonest by itself, first.
void packPort(std::vector<PortUse>& uses) {
  std::stable_sort(uses.begin(), uses.end(),
                   [](const PortUse& a, const PortUse& b) { return a.start < b.start; });
  Cycles free;
  for (PortUse& use : uses) {
    use.start = std::max(use.start, free);
    free = use.start + use.cycles;
  }
}

}  // namespace

ExchangePlan planExchange(const Machine& machine, const Step& step,
                          const std::vector<Block>& blocks) {
  return machine.exchange == models::ExchangeMode::Bound
             ? planBoundExchange(machine, step, blocks)
             : planScheduledExchange(machine, step, blocks);
}

ExchangePlan planBoundExchange(const Machine& machine, const Step& step,
                               const std::vector<Block>& blocks) {
  const StreamSet set = streamsOf(machine, step, blocks);
  PlanWriter writer(machine);
  writer.reserve(set);
  for (const Stream& stream : set.streams) {
    const Cycles* delays = set.delays.data() + stream.first_port;
    writer.add(set, stream, [delays](std::uint32_t port) { return delays[port]; });
  }
  ExchangePlan plan = writer.take();
  for (TileExchange& tile : plan) {
    packPort(tile.sends);
    packPort(tile.receives);
  }
  return plan;
}

ExchangePlan planScheduledExchange(const Machine& machine, const Step& step,
                                   const std::vector<Block>& blocks) {
  const Schedule schedule = scheduleStreams(machine, streamsOf(machine, step, blocks));
  PlanWriter writer(machine);
  writer.reserve(schedule.set);
  for (std::size_t i = 0; i < schedule.order.size(); ++i) {
    const Cycles start = schedule.starts[i];
    writer.add(schedule.set, schedule.set.streams[schedule.order[i]],
               [start](std::uint32_t /*port*/) { return start; });
  }
  return writer.take();
}

void addExchangeCode(const ExchangePlan& plan, std::vector<ExchangeCode>& code) {
  for (std::size_t t = 0; t < plan.size(); ++t) {
    if (!plan[t].takesPart()) continue;
    ++code[t].exchanges;
    code[t].send_instructions += plan[t].send_instructions;
    code[t].receive_instructions += plan[t].receive_instructions;
  }
}

ExchangeVolume volumeOf(const Step& step, const ExchangePlan& plan) {
  ExchangeVolume volume;
  volume.messages = step.messages.size();
  for (const TileExchange& tile : plan) {
    volume.bytes += tile.received;
    volume.max_tile_bytes = std::max(volume.max_tile_bytes, tile.received);
  }
  return volume;
}

}  // namespace ipusim::compiler
