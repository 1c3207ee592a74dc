// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/exchange/global_exchange.h"

#include <algorithm>
#include <map>
#include <utility>

#include "models/ipu/cost/exchange/exchange_ports.h"

namespace ipusim::models {

std::uint64_t packetsOf(const LinkTiming& timing, Bytes bytes) {
  return ceilDiv(bytes.value(), timing.packet_payload.value());
}

GlobalExchangeCost globalExchangeCost(const System& system, const Routes& routes,
                                      const std::vector<TileFlow>& flows) {
  ExchangePorts out(system.ipu, system.ipus, system.timing.contexts);
  ExchangePorts in(system.ipu, system.ipus, system.timing.contexts);
  std::map<std::pair<std::uint32_t, std::uint32_t>, Bytes> between;
  for (const TileFlow& flow : flows) {
    const Bytes bytes =
        flow.bytes + packetsOf(system.timing, flow.bytes) * system.timing.packet_header;
    out.add(flow.from, bytes);
    in.add(flow.to, bytes);
    between[{flow.from / system.ipu.tiles, flow.to / system.ipu.tiles}] += bytes;
  }
  std::vector<Flow> of_ipus;
  of_ipus.reserve(between.size());
  for (const auto& [ends, bytes] : between) of_ipus.push_back({ends.first, ends.second, bytes});
  const std::vector<Bytes> loads = routes.loads(of_ipus);
  GlobalExchangeCost cost;
  double longest = std::max(out.seconds(), in.seconds());
  for (std::uint32_t s = 0; s < loads.size(); ++s) {
    if (loads[s] == Bytes(0)) continue;
    const double seconds = setSeconds(system, system.links[s], loads[s]);
    cost.loads.push_back({s, loads[s], cyclesIn(seconds, system.ipu.clock_hz)});
    longest = std::max(longest, seconds);
  }
  cost.sync = cyclesIn(externalSyncSeconds(system, system.ipus), system.ipu.clock_hz);
  cost.transfer = system.timing.fixed + cyclesIn(longest, system.ipu.clock_hz);
  return cost;
}

}  // namespace ipusim::models
