// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <iostream>

#include "poplar/Graph.hpp"
#include "poplar/Program.hpp"

namespace poplar {

/// Which events of floating-point arithmetic stop a tile, and how results are rounded.
struct FloatingPointBehaviour {
  bool inv = true;
  bool div0 = true;
  bool oflo = true;
  bool esr = false;  ///< stochastic rounding
  bool nanoo = true;

  FloatingPointBehaviour() = default;
  FloatingPointBehaviour(bool invalid, bool by_zero, bool overflow, bool stochastic,
                         bool nan_on_overflow)
      : inv(invalid), div0(by_zero), oflo(overflow), esr(stochastic), nanoo(nan_on_overflow) {}
};

/// Prints a warning where stochastic rounding is asked for. Results are always rounded to nearest.
inline void setStochasticRounding(Graph&, program::Sequence&, bool wanted,
                                  const DebugContext& = {}) {
  static bool has_warned = false;
  if (!wanted || has_warned) return;
  has_warned = true;
  std::cerr << "warning: setStochasticRounding: results are rounded to nearest here\n";
}

/// No event stops a tile here: an invalid operation gives a NaN. Only the rounding that `behaviour`
/// asks for is looked at.
inline void setFloatingPointBehaviour(Graph& graph, program::Sequence& program,
                                      const FloatingPointBehaviour& behaviour,
                                      const DebugContext& name = {}) {
  setStochasticRounding(graph, program, behaviour.esr, name);
}

}  // namespace poplar
