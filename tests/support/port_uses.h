// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <vector>

#include "ipusim/ids.h"
#include "sim/compile/schedule/exchange_plan.h"

namespace ipusim::compiler {

/// A transmission on a port. `start` is on the clock of the port's tile.
struct PortUse {
  Cycles start;
  Cycles cycles;
};

/// What a scheduled exchange brings to a port, in the order of the plan.
inline std::vector<PortUse> usesOf(const ExchangePlan& plan, Port port) {
  std::vector<PortUse> uses;
  for (const Transmission& t : plan.transmissions) {
    const auto lenders = plan.transmission_tiles.begin() + t.first_tile;
    const auto receivers = lenders + t.lenders;
    if (port.direction == PortDirection::Receive) {
      const auto end = receivers + t.receivers;
      const bool listens = std::find(receivers, end, port.tile) != end;
      if (listens) uses.push_back({t.start, t.length + t.control});
    } else if (t.from == port.tile || std::find(lenders, receivers, port.tile) != receivers) {
      uses.push_back({t.start, t.length});
    }
  }
  return uses;
}

inline std::vector<PortUse> sendsOf(const ExchangePlan& plan, std::uint32_t tile) {
  return usesOf(plan, {TileId(tile), PortDirection::Send});
}

inline std::vector<PortUse> receivesOf(const ExchangePlan& plan, std::uint32_t tile) {
  return usesOf(plan, {TileId(tile), PortDirection::Receive});
}

inline bool overlaps(const std::vector<PortUse>& port) {
  for (std::size_t i = 1; i < port.size(); ++i) {
    if (port[i].start < port[i - 1].start + port[i - 1].cycles) return true;
  }
  return false;
}

}  // namespace ipusim::compiler
