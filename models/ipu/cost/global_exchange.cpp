// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/global_exchange.h"

#include <algorithm>
#include <map>
#include <utility>

#include "models/ipu/cost/exchange_ports.h"

namespace ipusim::models {

std::uint64_t packetsOf(const LinkTiming& timing, Bytes bytes) {
  return ceilDiv(bytes.value(), timing.packet_payload.value());
}

GlobalExchangeCost globalExchangeCost(const Pod& pod, const Routes& routes,
                                      const std::vector<TileFlow>& flows) {
  ExchangePorts out(pod.ipu, pod.ipus, pod.timing.contexts);
  ExchangePorts in(pod.ipu, pod.ipus, pod.timing.contexts);
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
