// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/flow_numbers.h"

namespace ipusim::compiler {

/// Walks a program, and numbers its steps.
struct FlowNumberer {
  FlowNumbers& numbers;

  void operator()(const Sequence& sequence) const { walk(sequence, *this); }
  void operator()(const Execute& /*step*/) const {}
  void operator()(const Copy& /*step*/) const {}
  void operator()(const Stream& /*step*/) const {}
  void operator()(const Remote& /*step*/) const {}
  void operator()(const WriteUndef& /*step*/) const {}
  void operator()(const Overlap& step) const { walk(step.body, *this); }
  void operator()(const Call& /*step*/) const {}
  void operator()(const Repeat& step) const { walk(step.body, *this); }
  void operator()(const If& step) const {
    addBranch(&step);
    walk(step.then, *this);
    walk(step.otherwise, *this);
  }
  void operator()(const Switch& step) const {
    addBranch(&step);
    for (const Switch::Case& one : step.cases) walk(one.body, *this);
    walk(step.otherwise, *this);
  }
  void operator()(const RepeatWhile& step) const {
    numbers.whiles_.emplace(&step, static_cast<WhileId>(numbers.whiles_.size()));
    walk(step.condition, *this);
    walk(step.body, *this);
  }

 private:
  void addBranch(const void* step) const {
    numbers.branches_.emplace(step, static_cast<BranchId>(numbers.branches_.size()));
  }
};

FlowNumbers::FlowNumbers(const Graph& graph) {
  const FlowNumberer numberer{*this};
  for (const Program& function : graph.functions()) walk(function, numberer);
  walk(graph.program(), numberer);
}

}  // namespace ipusim::compiler
