// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/schedule/global_exchanges.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "models/ipu/cost/exchange/global_exchange.h"
#include "sim/compile/schedule/exchange_plan.h"

namespace ipusim::compiler {

namespace {

/// What all global exchanges make of a tile.
struct TileTraffic {
  std::uint64_t exchanges = 0;  ///< in which the tile takes part
  std::uint64_t packets_sent = 0;
  Activity activity;  ///< over the run
};

/// What a tile does in one global exchange.
struct PartInExchange {
  Bytes received;
  TileWords words;
  Bytes on_links;
  bool takes_part = false;
};

/// The exchanges between IPUs: their cost, their volume, and their code and headers.
class GlobalExchanges {
 public:
  explicit GlobalExchanges(const System& system)
      : system_(system),
        routes_(system),
        traffic_(system.tiles()),
        parts_(system.tiles()),
        sets_between_(std::size_t{system.ipus} * system.ipus) {}

  /// Adds a step that runs so often.
  GlobalExchange add(const Step& step, std::uint64_t iterations, const std::vector<Block>& blocks,
                     ExchangeVolume& volume) {
    std::vector<models::TileFlow> flows;
    step.messages.forEach([&](const Message& message) {
      const MessageForm& form = step.messages.formOf(message);
      const std::uint32_t from = blocks[indexOf(message.from)].tile.tile();
      const std::uint32_t to = blocks[indexOf(message.to)].tile.tile();
      flows.push_back({from, to, form.bytes()});
      const std::uint64_t packets = models::packetsOf(system_.timing, form.bytes());
      traffic_[from].packets_sent += packets;
      PartInExchange& sender = partOf(from);
      sender.words.sent += form.words();
      sender.on_links += onLinks(flows.back(), packets);
      PartInExchange& receiver = partOf(to);
      receiver.words.received += form.words();
      receiver.received += form.bytes();
    });
    for (const std::uint32_t tile : in_step_) {
      addPart(tile, parts_[tile], iterations, volume);
      parts_[tile] = {};
    }
    in_step_.clear();
    volume.messages = step.messages.size();
    models::GlobalExchangeCost cost = models::globalExchangeCost(system_, routes_, flows);
    return {cost.sync, cost.transfer, std::move(cost.loads)};
  }

  /// Adds what each tile did over the run, and what its code is made of.
  void addTo(Traffic& traffic) const {
    for (std::size_t t = 0; t < traffic_.size(); ++t) {
      traffic.activity_of_tile[t] += traffic_[t].activity;
      traffic.exchange_code[t].global_exchanges = traffic_[t].exchanges;
      traffic.exchange_code[t].packets_sent = traffic_[t].packets_sent;
    }
  }

 private:
  /// What a tile does in the step that is being added.
  PartInExchange& partOf(std::uint32_t tile) {
    PartInExchange& part = parts_[tile];
    if (!part.takes_part) in_step_.push_back(tile);
    part.takes_part = true;
    return part;
  }

  /// Whole packets, on every set of links that the flow goes over.
  Bytes onLinks(const models::TileFlow& flow, std::uint64_t packets) {
    const std::uint32_t from = flow.from / system_.ipu.tiles;
    const std::uint32_t to = flow.to / system_.ipu.tiles;
    auto& sets = sets_between_[std::size_t{from} * system_.ipus + to];
    if (!sets) sets = routes_.between(from, to).size();
    return (flow.bytes + packets * system_.timing.packet_header) * *sets;
  }

  /// A word runs on the spine of the sender's IPU and on that of the receiver's IPU.
  void addPart(std::uint32_t tile, const PartInExchange& part, std::uint64_t iterations,
               ExchangeVolume& volume) {
    const TileWords& words = part.words;
    Activity activity =
        activityOfWords(words, words.sent + words.received, system_.ipu, tile % system_.ipu.tiles);
    activity.link_bytes = part.on_links;
    volume.activity += activity;
    volume.bytes += part.received;
    volume.max_tile_bytes = std::max(volume.max_tile_bytes, part.received);
    traffic_[tile].activity += activity * iterations;
    ++traffic_[tile].exchanges;
  }

  const System& system_;
  models::Routes routes_;
  std::vector<TileTraffic> traffic_;    ///< one entry per tile
  std::vector<PartInExchange> parts_;   ///< one entry per tile, of the step that is being added
  std::vector<std::uint32_t> in_step_;  ///< the tiles that take part in it
  /// How many sets of links lie from one IPU to another, by from * ipus + to.
  std::vector<std::optional<std::uint64_t>> sets_between_;
};

}  // namespace

std::vector<GlobalExchange> planGlobalExchanges(const System& system, const Lowered& lowered,
                                                Traffic& traffic) {
  std::vector<GlobalExchange> planned;
  if (system.ipus == 1) return planned;
  GlobalExchanges exchanges(system);
  const std::vector<std::uint64_t> iterations = iterationsOf(lowered.control, lowered.steps.size());
  for (std::size_t s = 0; s < lowered.steps.size(); ++s) {
    const Step& step = lowered.steps[s];
    if (step.kind != StepKind::GlobalExchange) continue;
    planned.push_back(exchanges.add(step, iterations[s], lowered.blocks, traffic.volumes[s]));
  }
  exchanges.addTo(traffic);
  return planned;
}

}  // namespace ipusim::compiler
