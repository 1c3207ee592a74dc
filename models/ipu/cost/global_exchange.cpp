// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/global_exchange.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace ipusim::models {

namespace {

/// Rounded factors may lift a product of a whole number of cycles above that number.
constexpr double kRounding = 1e-12;

/// Whole cycles in a time; a part-used cycle counts.
Cycles cyclesIn(double seconds, double clock_hz) {
  constexpr double kEndOfCount = 18446744073709551616.0;  // 2^64
  const double cycles = std::ceil(seconds * clock_hz * (1 - kRounding));
  if (cycles >= kEndOfCount) throwCountError();
  return Cycles(static_cast<std::uint64_t>(cycles));
}

/// The pair of contexts that a tile reaches, of `pairs`. On an IPU with 64 contexts, these are bits
/// 0 and 2 to 5 of the number of the tile.
/// Source: osmarks/ipu-stack, whose bitmap of a context has tiles at 2 * (tile / 64) + bit 1.
std::uint32_t contextsOf(std::uint32_t tile, std::uint32_t pairs) {
  return (tile / 4 * 2 + tile % 2) % pairs;
}

/// Words that pass tiles and contexts, in one direction.
class PortLoads {
 public:
  explicit PortLoads(const Pod& pod)
      : pod_(pod),
        pairs_((pod.timing.contexts + 1) / 2),
        of_tile_(std::size_t{pod.ipus} * pod.ipu.tiles),
        of_contexts_(std::size_t{pod.ipus} * pairs_) {}

  void add(std::uint32_t tile, Bytes bytes) {
    const std::uint32_t ipu = tile / pod_.ipu.tiles;
    of_tile_[tile] += bytes;
    of_contexts_[std::size_t{ipu} * pairs_ + contextsOf(tile % pod_.ipu.tiles, pairs_)] += bytes;
  }

  /// How long the fullest tile or pair of contexts takes.
  [[nodiscard]] double seconds() const {
    const auto word = static_cast<double>(pod_.ipu.fabric.exchange_rate.value());
    const double words_per_cycle =
        static_cast<double>(pod_.timing.contexts) / static_cast<double>(pairs_);
    const auto fullest = [](const std::vector<Bytes>& loads) {
      return static_cast<double>(std::max_element(loads.begin(), loads.end())->value());
    };
    const double bytes_cycles =
        std::max(fullest(of_tile_), fullest(of_contexts_) / words_per_cycle);
    return bytes_cycles / word / pod_.ipu.clock_hz;
  }

 private:
  const Pod& pod_;
  std::uint32_t pairs_;
  std::vector<Bytes> of_tile_;
  std::vector<Bytes> of_contexts_;
};

}  // namespace

std::uint64_t packetsOf(const LinkTiming& timing, Bytes bytes) {
  return ceilDiv(bytes.value(), timing.packet_payload.value());
}

GlobalExchangeCost globalExchangeCost(const Pod& pod, const Routes& routes,
                                      const std::vector<TileFlow>& flows) {
  PortLoads out(pod);
  PortLoads in(pod);
  std::map<std::pair<std::uint32_t, std::uint32_t>, Bytes> between;
  for (const TileFlow& flow : flows) {
    const Bytes bytes = flow.bytes + packetsOf(pod.timing, flow.bytes) * pod.timing.packet_header;
    out.add(flow.from, bytes);
    in.add(flow.to, bytes);
    between[{flow.from / pod.ipu.tiles, flow.to / pod.ipu.tiles}] += bytes;
  }
  std::vector<Flow> of_ipus;
  of_ipus.reserve(between.size());
  for (const auto& [ends, bytes] : between) of_ipus.push_back({ends.first, ends.second, bytes});
  const std::vector<Bytes> loads = routes.loads(of_ipus);
  GlobalExchangeCost cost;
  double longest = std::max(out.seconds(), in.seconds());
  for (std::uint32_t s = 0; s < loads.size(); ++s) {
    if (loads[s] == Bytes(0)) continue;
    const double seconds = setSeconds(pod, pod.links[s], loads[s]);
    cost.loads.push_back({s, loads[s], cyclesIn(seconds, pod.ipu.clock_hz)});
    longest = std::max(longest, seconds);
  }
  cost.sync = cyclesIn(externalSyncSeconds(pod, pod.ipus), pod.ipu.clock_hz);
  cost.transfer = pod.timing.fixed + cyclesIn(longest, pod.ipu.clock_hz);
  return cost;
}

}  // namespace ipusim::models
