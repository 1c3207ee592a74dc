// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/ops/conv/planner/plan.h"

namespace ipusim::workloads {

/// What building the graph of a planned convolution makes, by a formula over the plan. The counts
/// are not whole numbers, because those of large sizes may be beyond any.
struct ConvPieces {
  /// Pieces of the operands and of the result. In memory, an operand has its channels in grains, so
  /// that a part of it is one piece per grain. Of weights, a loop over out channels holds one step.
  double operands = 0;
  /// Pieces of an input whose windows are written out: one per row of the result and element of the
  /// kernel.
  double windows = 0;
  /// Intervals of the input's mapping that these pieces pass. A piece has all channels, so that it
  /// goes through the whole image.
  double passed = 0;
};

ConvPieces piecesOf(const Architecture& machine, const ConvPlan& plan);

}  // namespace ipusim::workloads
