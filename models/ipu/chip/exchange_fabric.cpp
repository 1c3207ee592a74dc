// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/chip/exchange_fabric.h"

#include <algorithm>
#include <string>

namespace ipusim::models {

ExchangeFabric::ExchangeFabric(const sc_core::sc_module_name& name, std::size_t tiles, Fault& fault)
    : sc_module(name), ports_(tiles), fault_(fault) {}

Cycles ExchangeFabric::play(std::uint32_t tile, PortSchedule sends, PortSchedule receives,
                            Cycles release) {
  Ports& ports = ports_[tile];
  const bool sent = playPort(ports.send_free, sends, release);
  const bool received = playPort(ports.receive_free, receives, release);
  if (!sent || !received) {
    fault_.raise("tile " + std::to_string(tile) + ": two messages meet on its " +
                 (sent ? "receive" : "send") + " port");
  }
  return std::max({release, sends.count > 0 ? ports.send_free : release,
                   receives.count > 0 ? ports.receive_free : release});
}

bool ExchangeFabric::playPort(Cycles& port_free, PortSchedule uses, Cycles release) {
  bool met = false;
  for (const PortUse& use : uses) {
    const Cycles start = release + use.start;
    met = met || start < port_free;
    port_free = start + use.cycles;
  }
  return !met;
}

void ExchangeFabric::skip(std::uint32_t tile, Cycles cycles) {
  ports_[tile].send_free += cycles;
  ports_[tile].receive_free += cycles;
}

}  // namespace ipusim::models
