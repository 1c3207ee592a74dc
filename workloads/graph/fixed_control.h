// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/graph.h"

namespace ipusim {

/// Throws GraphError: the step of kind `step` depends on the value of `tensor`, which nobody knows
/// before the run.
[[noreturn]] void refuseDataDependent(const char* step, const Tensor& tensor, const Graph& graph);

/// The base of a visitor (see `walk` in ipusim/program.h) whose answer must be known before the
/// run. It refuses If, Switch and RepeatWhile.
/// A visitor takes this over by `using FixedControl::operator();` and has its own operator for
/// every other step.
template <typename Answer>
class FixedControl {
 public:
  /// `graph` is the graph of the program, and must outlive this object.
  explicit FixedControl(const Graph& graph) : graph_(graph) {}

  Answer operator()(const If& step) const { refuseDataDependent("If", step.predicate, graph_); }
  Answer operator()(const Switch& step) const {
    refuseDataDependent("Switch", step.selector, graph_);
  }
  Answer operator()(const RepeatWhile& step) const {
    refuseDataDependent("RepeatWhile", step.predicate, graph_);
  }

 protected:
  [[nodiscard]] const Graph& graph() const { return graph_; }

 private:
  const Graph& graph_;
};

}  // namespace ipusim
