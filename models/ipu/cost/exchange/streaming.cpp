// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/exchange/streaming.h"

#include <algorithm>
#include <cmath>

#include "models/ipu/cost/exchange/exchange_ports.h"
#include "models/ipu/cost/exchange/links.h"

namespace ipusim::models {

std::uint64_t packetsOf(const StreamingMemory& memory, Bytes share) {
  return ceilDiv(share.value(), memory.packet_payload.value());
}

RowLoad rowLoad(const Machine& machine, const std::vector<TileShare>& shares) {
  const StreamingMemory& memory = machine.streaming;
  ExchangePorts ports(machine, 1, memory.contexts);
  RowLoad load;
  for (const TileShare& share : shares) {
    const std::uint64_t packets = packetsOf(memory, share.bytes);
    load.payload += share.bytes;
    load.on_memory += packets * (memory.packet_payload + memory.packet_header);
    ports.add(share.tile, share.bytes + packets * memory.packet_header);
  }
  load.ports = cyclesIn(ports.seconds(), machine.clock_hz);
  return load;
}

Cycles streamingSync(const Machine& machine, std::uint32_t ipus) {
  return cyclesIn(externalSyncSeconds(machine.streaming.sync_hop_seconds, ipus), machine.clock_hz);
}

std::uint64_t streamingRate(const Machine& machine, std::uint64_t bytes_per_second, unsigned bits) {
  const double per_cycle = static_cast<double>(bytes_per_second) / machine.clock_hz;
  const double rate = std::floor(std::ldexp(per_cycle, static_cast<int>(bits)));
  constexpr double kHighest = 1e18;
  return static_cast<std::uint64_t>(std::min(rate, kHighest));
}

}  // namespace ipusim::models
