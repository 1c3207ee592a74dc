// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/exchange/links.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <queue>

#include "ipusim/error.h"

namespace ipusim::models {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

[[noreturn]] void noWay(const System& system, std::uint32_t from, std::uint32_t to) {
  throw ConfigError(fmt::format("{}: wanted links that lead from IPU {} to IPU {}, found none",
                                system.name, from, to));
}

}  // namespace

Routes::Routes(const System& system) : system_(&system) {
  for (std::uint32_t s = 0; s < system.links.size(); ++s) {
    sets_[{system.links[s].from, system.links[s].to}].push_back(s);
  }
}

/// The set between two neighbours that carries such traffic. kNone: there is none.
std::uint32_t Routes::set(std::uint32_t from, std::uint32_t to, LinkTraffic traffic) const {
  const auto found = sets_.find({from, to});
  if (found == sets_.end()) return kNone;
  for (const std::uint32_t s : found->second) {
    const LinkTraffic carried = system_->links[s].traffic;
    if (carried == LinkTraffic::Any || carried == traffic) return s;
  }
  return kNone;
}

std::vector<std::uint32_t> Routes::between(std::uint32_t from, std::uint32_t to) const {
  if (from == to) return {};
  const std::uint32_t direct = set(from, to, LinkTraffic::Own);
  if (direct != kNone) return {direct};
  return system_->route == RouteRule::Ladder ? ladder(from, to) : shortest(from, to);
}

/// Crosses the rung where the sides differ, then goes along the rail, the shorter way round where
/// the rails are closed, then over the gateway links.
std::vector<std::uint32_t> Routes::ladder(std::uint32_t from, std::uint32_t to) const {
  const std::uint32_t rack = std::min(system_->rack_ipus, system_->ipus);
  const auto go = [&](std::uint32_t& at, std::uint32_t next, std::vector<std::uint32_t>& sets) {
    const std::uint32_t s = set(at, next, LinkTraffic::Through);
    if (s == kNone) noWay(*system_, from, to);
    sets.push_back(s);
    at = next;
  };
  std::vector<std::uint32_t> sets;
  std::uint32_t at = from;
  if (at % 2 != to % 2) go(at, at ^ 1U, sets);
  const std::uint32_t rungs = rack / 2;
  const auto step = [&](std::uint32_t place, std::uint32_t goal, std::uint32_t count,
                        bool is_ring) {
    const std::uint32_t up = (goal + count - place) % count;
    const bool goes_up = is_ring ? up <= count - up : goal > place;
    return (place + (goes_up ? 1 : count - 1)) % count;
  };
  while (at % rack / 2 != to % rack / 2) {
    const bool is_ring = set(at - at % rack, at - at % rack + rack - 2, LinkTraffic::Any) != kNone;
    const std::uint32_t rung = step(at % rack / 2, to % rack / 2, rungs, is_ring);
    go(at, at - at % rack + 2 * rung + at % 2, sets);
  }
  const std::uint32_t racks = system_->ipus / rack;
  while (at / rack != to / rack) {
    go(at, step(at / rack, to / rack, racks, racks > 2) * rack + at % rack, sets);
  }
  return sets;
}

/// A breadth-first search. Neighbours are tried in the order of their numbers, so that the route is
/// the same on every computer.
std::vector<std::uint32_t> Routes::shortest(std::uint32_t from, std::uint32_t to) const {
  std::vector<std::uint32_t> by(system_->ipus, kNone);
  std::queue<std::uint32_t> open;
  open.push(from);
  while (!open.empty() && by[to] == kNone) {
    const std::uint32_t at = open.front();
    open.pop();
    for (auto next = sets_.lower_bound({at, 0}); next != sets_.end() && next->first.first == at;
         ++next) {
      const std::uint32_t neighbour = next->first.second;
      const std::uint32_t s = set(at, neighbour, LinkTraffic::Through);
      if (s == kNone || by[neighbour] != kNone || neighbour == from) continue;
      by[neighbour] = s;
      open.push(neighbour);
    }
  }
  if (by[to] == kNone) noWay(*system_, from, to);
  std::vector<std::uint32_t> sets;
  for (std::uint32_t at = to; at != from; at = system_->links[by[at]].from) sets.push_back(by[at]);
  std::reverse(sets.begin(), sets.end());
  return sets;
}

std::vector<Bytes> Routes::loads(const std::vector<Flow>& flows) const {
  std::vector<Bytes> loads(system_->links.size());
  for (const Flow& flow : flows) {
    for (const std::uint32_t s : between(flow.from, flow.to)) loads[s] += flow.bytes;
  }
  return loads;
}

namespace {

double bytesPerSecond(const System& system, const LinkSet& set) {
  return static_cast<double>(set.links) * static_cast<double>(set.bytes_per_second) *
         system.timing.efficiency;
}

}  // namespace

double setSeconds(const System& system, const LinkSet& set, Bytes bytes) {
  return static_cast<double>(bytes.value()) / bytesPerSecond(system, set);
}

double linkSeconds(const System& system, const std::vector<Bytes>& loads) {
  const auto payload = static_cast<double>(system.timing.packet_payload.value());
  const double packets = 1 + static_cast<double>(system.timing.packet_header.value()) / payload;
  double longest = 0;
  for (std::size_t s = 0; s < loads.size(); ++s) {
    const double rate = bytesPerSecond(system, system.links[s]);
    longest = std::max(longest, static_cast<double>(loads[s].value()) * packets / rate);
  }
  return longest;
}

namespace {

/// How long the IPU takes that sends or receives most, over all its tiles.
double fullestIpuSeconds(const System& system, const std::vector<Flow>& flows) {
  std::vector<Bytes> out(system.ipus);
  std::vector<Bytes> in(system.ipus);
  for (const Flow& flow : flows) {
    out[flow.from] += flow.bytes;
    in[flow.to] += flow.bytes;
  }
  Bytes most;
  for (const Bytes bytes : out) most = std::max(most, bytes);
  for (const Bytes bytes : in) most = std::max(most, bytes);
  return tileSeconds(system, most, system.ipu.tiles);
}

}  // namespace

double externalSyncSeconds(double hop_seconds, std::uint32_t ipus) {
  const std::uint32_t hops = 1 + ipus / 4;
  return 2 * hops * hop_seconds;
}

double externalSyncSeconds(const System& system, std::uint32_t ipus) {
  return externalSyncSeconds(system.timing.hop_seconds, ipus);
}

double globalExchangeSeconds(const System& system, const Routes& routes,
                             const std::vector<Flow>& flows, std::uint32_t ipus) {
  const double fixed = static_cast<double>(system.timing.fixed.value()) / system.ipu.clock_hz;
  const double payload =
      std::max(linkSeconds(system, routes.loads(flows)), fullestIpuSeconds(system, flows));
  return externalSyncSeconds(system, ipus) + fixed + payload;
}

double tileSeconds(const System& system, Bytes bytes, std::uint32_t tiles) {
  const auto word = static_cast<double>(system.ipu.fabric.exchange_rate.value());
  const double words = static_cast<double>(bytes.value()) / word;
  const std::uint32_t lanes = std::min(tiles, system.timing.contexts);
  return words / lanes / system.ipu.clock_hz;
}

}  // namespace ipusim::models
