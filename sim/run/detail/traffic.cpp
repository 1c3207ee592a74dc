// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sim/run/detail/detail_of.h"

namespace ipusim::run {

using compiler::Destination;
using compiler::Executable;
using compiler::Message;
using compiler::Messages;

namespace {

/// What the tiles send and receive in one iteration of a step.
struct TileTraffic {
  std::vector<std::uint64_t> sent;
  std::vector<std::uint64_t> received;
};

TileTraffic trafficOf(const Executable& executable, const Messages& messages, std::size_t tiles) {
  TileTraffic traffic{std::vector<std::uint64_t>(tiles), std::vector<std::uint64_t>(tiles)};
  const auto tile_of = [&](BlockId block) {
    return executable.lowered.blocks[indexOf(block)].tile.tile();
  };
  messages.forEach([&](const Message& message) {
    const std::uint64_t bytes = messages.formOf(message).bytes().value();
    traffic.sent[tile_of(message.from)] += bytes;
    messages.forEachDestination(
        message, [&](const Destination& at) { traffic.received[tile_of(at.block)] += bytes; });
  });
  return traffic;
}

BandValues banded(const std::vector<std::uint64_t>& of_tile, const TileBands& bands) {
  BandValues values;
  for (std::size_t first = 0; first < of_tile.size(); first += bands.tiles_per_band) {
    const std::size_t end = std::min<std::size_t>(first + bands.tiles_per_band, of_tile.size());
    append(*std::max_element(of_tile.begin() + static_cast<std::ptrdiff_t>(first),
                             of_tile.begin() + static_cast<std::ptrdiff_t>(end)),
           values);
  }
  return values;
}

void addTimes(std::uint64_t times, const std::vector<std::uint64_t>& one,
              std::vector<std::uint64_t>& all) {
  for (std::size_t t = 0; t < one.size(); ++t) all[t] += times * one[t];
}

PortUse longest(const std::vector<std::uint64_t>& cycles) {
  const auto most = std::max_element(cycles.begin(), cycles.end());
  if (most == cycles.end()) return {};
  return {static_cast<std::uint32_t>(most - cycles.begin()), Cycles(*most)};
}

PortDetail portsOf(const ChipPrograms& programs, const Exchange& exchange) {
  PortDetail ports;
  ports.transmissions = exchange.count;
  std::vector<std::uint64_t> send(programs.tiles.size());
  std::vector<std::uint64_t> receive(programs.tiles.size());
  for (std::uint32_t e = exchange.first; e < exchange.first + exchange.count; ++e) {
    const Transmission& transmission = programs.transmissions[e];
    const std::uint64_t length = transmission.length.value();
    send[transmission.from.tile()] += length;
    for (const TileId tile : programs.lendersOf(transmission)) send[tile.tile()] += length;
    for (const TileId tile : programs.receiversOf(transmission)) {
      receive[tile.tile()] += length + transmission.control.value();
    }
    ports.most_receivers = std::max(ports.most_receivers, transmission.receivers);
  }
  ports.send = longest(send);
  ports.receive = longest(receive);
  return ports;
}

/// The exchange of each step; that of a step without one is ~0. Each of several IPUs has exchanges
/// of its own, and none is said.
std::vector<std::uint32_t> exchangeOfSteps(const SystemPrograms& programs, std::size_t steps) {
  std::vector<std::uint32_t> exchange(steps, ~std::uint32_t{0});
  if (programs.ipus() > 1) return exchange;
  for (const TileProgram& tile : programs.only().tiles) {
    for (const TileOp& op : tile.ops) {
      if (op.kind == OpKind::Exchange) exchange[indexOf(op.step)] = op.first;
    }
  }
  return exchange;
}

}  // namespace

void addTraffic(const Executable& executable, const TileBands& bands, ProgramDetail& detail) {
  const std::size_t steps = executable.lowered.steps.size();
  const std::vector<std::uint64_t> iterations =
      compiler::iterationsOf(executable.lowered.control, steps);
  detail.received_of_tile.assign(bands.tiles, 0);
  detail.sent_of_tile.assign(bands.tiles, 0);
  const std::vector<std::uint32_t> exchanges = exchangeOfSteps(executable.programs, steps);
  for (std::size_t s = 0; s < steps; ++s) {
    const Messages& messages = executable.lowered.steps[s].messages;
    if (messages.empty()) continue;
    const TileTraffic traffic = trafficOf(executable, messages, bands.tiles);
    detail.steps[s].received = banded(traffic.received, bands);
    detail.steps[s].sent = banded(traffic.sent, bands);
    addTimes(iterations[s], traffic.received, detail.received_of_tile);
    addTimes(iterations[s], traffic.sent, detail.sent_of_tile);
    if (exchanges[s] == ~std::uint32_t{0}) continue;
    detail.steps[s].ports =
        portsOf(executable.programs.only(), executable.programs.only().exchanges[exchanges[s]]);
  }
}

}  // namespace ipusim::run
