// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "poplar/Graph.hpp"
#include "poplar/OptionFlags.hpp"

namespace popops {

/// A plan of look-ups. The tables of this project all lie in one way, so a plan says nothing.
class SlicePlan {
 public:
  friend bool operator==(const SlicePlan&, const SlicePlan&) { return true; }
  friend bool operator!=(const SlicePlan&, const SlicePlan&) { return false; }
  friend bool operator<(const SlicePlan&, const SlicePlan&) { return false; }
};

namespace embedding {

inline SlicePlan plan(const poplar::Graph&, const poplar::Type&, std::size_t /*entries*/,
                      std::size_t /*size*/, const std::vector<std::size_t>& /*look_ups*/,
                      const poplar::OptionFlags& = {}) {
  return SlicePlan();
}

}  // namespace embedding

}  // namespace popops
