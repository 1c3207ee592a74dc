// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/exchange_pattern.h"

#include <fmt/format.h>

#include <map>
#include <numeric>
#include <random>

#include "ipusim/error.h"
#include "workloads/sources/named/parts/words.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kFewestTiles = 2;
constexpr std::uint64_t kMaxSeed = ~std::uint64_t{0} >> 1U;

/// The sender and the receiver of message i. Messages with one source index carry equal words.
struct Route {
  std::uint32_t from;
  std::uint32_t to;
  std::uint64_t source;  ///< index of the words that are sent
};

/// A cycle through all tiles in random order, so that no tile sends to itself. The standard fixes
/// only the bits of the generator, so the numbers are reduced by a modulo; its bias is far below
/// one in a million.
std::vector<Route> randomCycle(std::uint32_t tiles, std::uint64_t seed) {
  std::vector<std::uint32_t> order(tiles);
  std::iota(order.begin(), order.end(), 0U);
  std::mt19937_64 generator(seed);
  for (std::uint32_t i = tiles - 1; i > 0; --i) std::swap(order[i], order[generator() % (i + 1)]);
  std::vector<Route> routes;
  for (std::uint32_t i = 0; i < tiles; ++i) {
    routes.push_back({order[i], order[(i + 1) % tiles], order[i]});
  }
  return routes;
}

std::vector<Route> allToAll(std::uint32_t tiles) {
  std::vector<Route> routes;
  for (std::uint32_t from = 0; from < tiles; ++from) {
    for (std::uint32_t to = 0; to < tiles; ++to) {
      if (to != from) routes.push_back({from, to, std::uint64_t{from} * tiles + to});
    }
  }
  return routes;
}

std::vector<Route> routesOf(const ConfigReader& config, std::uint32_t tiles) {
  const std::string pattern =
      config.choice("pattern", {"all_to_all", "broadcast", "gather", "neighbour", "permutation"});
  if (pattern == "permutation") return randomCycle(tiles, config.whole("seed", 0, kMaxSeed, 1));
  if (pattern == "all_to_all") return allToAll(tiles);
  std::vector<Route> routes;
  const std::uint32_t first = pattern == "neighbour" ? 0 : 1;
  for (std::uint32_t tile = first; tile < tiles; ++tile) {
    if (pattern == "broadcast") routes.push_back({0, tile, 0});
    if (pattern == "gather") routes.push_back({tile, 0, tile});
    if (pattern == "neighbour") routes.push_back({tile, (tile + 1) % tiles, tile});
  }
  return routes;
}

}  // namespace

BuiltWorkload buildExchangePattern(const ConfigReader& config, const Architecture& machine) {
  if (machine.tiles < kFewestTiles) {
    throw ConfigError(fmt::format("{}: wanted a machine of {} tiles or more, found {}",
                                  config.place("tiles"), kFewestTiles, machine.tiles));
  }
  const auto tiles =
      static_cast<std::uint32_t>(config.whole("tiles", kFewestTiles, machine.tiles, machine.tiles));
  const std::uint64_t words = readWords(config);
  const std::vector<Route> routes = routesOf(config, tiles);

  BuiltWorkload built;
  std::map<std::uint64_t, std::uint32_t> sender;  // for each index, the sender of these words
  for (const Route& route : routes) sender[route.source] = route.from;
  const Tensor sent = addWords(built.graph, {sender.size(), words}, "sent");
  const Tensor received = addWords(built.graph, {routes.size(), words}, "received");
  std::map<std::uint64_t, std::uint64_t> row_of;
  for (const auto& [source, tile] : sender) {
    const std::uint64_t row = row_of.size();
    built.graph.setTileMapping(sent.slice(row, row + 1, 0), TileId(tile));
    row_of.emplace(source, row);
  }
  std::vector<CopyPair> messages;
  std::vector<std::uint64_t> rows;
  for (const Route& route : routes) {
    const std::uint64_t row = row_of.at(route.source);
    const Tensor own = received.slice(rows.size(), rows.size() + 1, 0);
    built.graph.setTileMapping(own, TileId(route.to));
    messages.push_back({sent.slice(row, row + 1, 0), own});
    rows.push_back(row);
  }
  built.program.add(built.graph.copy(messages, "messages"));
  built.host = [=] { return HostTensors{{{"sent", sent}}, {{"received", received}}}; };
  built.reference = copiedReference(received, rows);
  return built;
}

}  // namespace ipusim::workloads
