// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/exchange_latency.h"

#include "workloads/sources/named/parts/words.h"

namespace ipusim::workloads {

BuiltWorkload buildExchangeLatency(const ConfigReader& config, const Architecture& machine) {
  const std::uint64_t last = machine.tiles - 1;
  const auto from = static_cast<std::uint32_t>(config.whole("from", 0, last));
  const auto to = static_cast<std::uint32_t>(config.whole("to", 0, last));
  if (from == to) throw config.error("to", "another tile than `from`");
  const std::uint64_t words = readWords(config);

  BuiltWorkload built;
  const Tensor sent = addWords(built.graph, {1, words}, "sent");
  const Tensor received = addWords(built.graph, {1, words}, "received");
  built.graph.setTileMapping(sent, TileId(from));
  built.graph.setTileMapping(received, TileId(to));
  built.program.add(built.graph.copy(sent, received, "message"));
  built.host = [=] { return HostTensors{{{"sent", sent}}, {{"received", received}}}; };
  built.reference = copiedReference(received, {0});
  return built;
}

}  // namespace ipusim::workloads
