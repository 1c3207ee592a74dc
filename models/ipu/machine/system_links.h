// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/ipu/machine/system.h"

namespace ipusim {

/// The numbers that the links of a regular system follow from.
struct SystemShape {
  std::uint32_t ipus;
  bool is_closed;           ///< the last rung of a rack has rails to the first
  std::uint32_t rack_ipus;  ///< IPUs of a rack; gateway links join racks
  std::uint32_t rung_own_links;
  std::uint32_t rung_through_links;
  std::uint32_t rail_links;
  std::uint64_t link_bytes_per_second;
  std::uint64_t gateway_bytes_per_second;  ///< of one IPU, one way, to all other racks together
};

/// The links of ladders, one per rack: rungs join IPUs 2k and 2k + 1, rails join IPUs two apart.
/// Gateway links join equal places of neighbouring racks, which form a ring.
/// Source: Graphcore's data sheets of the POD64, POD128 and POD256.
std::vector<LinkSet> ladderLinks(const SystemShape& shape);

}  // namespace ipusim
