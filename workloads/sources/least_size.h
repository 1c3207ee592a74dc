// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim::workloads {

/// Parts that building the graph of a workload surely makes, by a formula over its config. The
/// counts are not whole numbers, because those of a wrong config may be beyond any.
struct LeastSize {
  /// Elements that are moved one by one, because their order changes on the way.
  double single_elements = 0;
  /// Pieces of all views of several variables.
  double view_pieces = 0;
  /// Intervals of the mappings of variables.
  double intervals = 0;
  /// Vertices that are families of their own.
  double families = 0;
  /// Walks that copies move from tile to tile.
  double moves = 0;

  /// All parts together.
  [[nodiscard]] double parts() const {
    return single_elements + view_pieces + intervals + families + moves;
  }
  friend LeastSize operator+(const LeastSize& a, const LeastSize& b) {
    return {a.single_elements + b.single_elements, a.view_pieces + b.view_pieces,
            a.intervals + b.intervals, a.families + b.families, a.moves + b.moves};
  }
};

}  // namespace ipusim::workloads
