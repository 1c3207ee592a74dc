// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/chip/sync_network.h"

#include <algorithm>
#include <map>

namespace ipusim::models {

SyncNetwork::SyncNetwork(const sc_core::sc_module_name& name, const ChipTiming& timing)
    : sc_module(name), timing_(timing), clock_(timing.clock_hz) {
  std::map<std::uint64_t, std::uint32_t> wire_of_distance;
  for (const Cycles distance : timing.sync_distance) {
    const auto index = static_cast<std::uint32_t>(wires_.size());
    const auto [wire, added] = wire_of_distance.emplace(distance.value(), index);
    if (added) wires_.emplace_back(distance);
    wire_of_tile_.push_back(wire->second);
  }
}

void SyncNetwork::ask(std::uint32_t tile, Cycles when) {
  last_request_ = std::max(last_request_, when + timing_.sync_distance[tile]);
  if (++requests_ == wire_of_tile_.size()) releaseAll();
}

void SyncNetwork::releaseAll() {
  const Cycles release = last_request_ + timing_.sync_base;
  last_two_[released_++ % last_two_.size()] = release;
  released_at_controller_.notify(clock_.untilCycle(release));
  for (Wire& wire : wires_) {
    wire.release_arrives.notify(clock_.untilCycle(release + wire.distance));
  }
  requests_ = 0;
}

const sc_core::sc_event& SyncNetwork::released(std::uint32_t tile) const {
  return wires_[wire_of_tile_[tile]].release_arrives;
}

}  // namespace ipusim::models
