// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim::workloads {

/// Parts that building and compiling the graph of a workload surely makes, by a formula over its
/// config. The counts are not whole numbers, because those of a wrong config may be beyond any.
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
  /// Pieces of the operands and results of products and convolutions.
  double operand_pieces = 0;
  /// Intervals of mappings that the ends of copies pass.
  double passed = 0;

  /// All parts together.
  [[nodiscard]] double parts() const {
    return single_elements + view_pieces + intervals + families + moves + operand_pieces + passed;
  }
  friend LeastSize operator+(const LeastSize& a, const LeastSize& b) {
    LeastSize sum;
    sum.single_elements = a.single_elements + b.single_elements;
    sum.view_pieces = a.view_pieces + b.view_pieces;
    sum.intervals = a.intervals + b.intervals;
    sum.families = a.families + b.families;
    sum.moves = a.moves + b.moves;
    sum.operand_pieces = a.operand_pieces + b.operand_pieces;
    sum.passed = a.passed + b.passed;
    return sum;
  }
};

}  // namespace ipusim::workloads
