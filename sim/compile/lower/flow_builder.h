// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "sim/compile/lower/flow.h"
#include "sim/compile/lower/flow_numbers.h"

namespace ipusim::compiler {

/// Makes the flow of a graph's program. `Steps` makes the steps: its add() makes those of an
/// Execute, a Copy, a Stream or a Remote, its beginOverlap() and endOverlap() those around the body
/// of an Overlap, its tellAllTiles() those that bring a decision to every tile, and its size() is
/// the number of steps so far.
template <typename Steps>
class FlowBuilder {
 public:
  /// Both arguments must outlive this.
  FlowBuilder(const Graph& graph, Steps& steps) : graph_(graph), steps_(steps), numbers_(graph) {}

  Flows run() {
    walk(graph_.program(), *this);
    return std::move(flows_);
  }

  void operator()(const Sequence& sequence) { walk(sequence, *this); }
  void operator()(const Execute& step) { add(step); }
  void operator()(const Copy& step) { add(step); }
  void operator()(const Stream& step) { add(step); }
  void operator()(const Remote& step) { add(step); }
  void operator()(const WriteUndef& step) { flows_.emplace_back(FlowUndef{step.variables}); }
  void operator()(const Overlap& step) {
    std::size_t first = steps_.size();
    steps_.beginOverlap(step);
    appendFrom(first);
    walk(step.body, *this);
    first = steps_.size();
    steps_.endOverlap(step);
    appendFrom(first);
  }
  void operator()(const Repeat& repeat) {
    FlowLoop loop{repeat.count, flowsOf(repeat.body)};
    if (!loop.body.empty()) flows_.emplace_back(std::move(loop));
  }
  void operator()(const Call& call) {
    const Flows& body = bodyOf(call.function);
    flows_.insert(flows_.end(), body.begin(), body.end());
  }
  void operator()(const If& step) {
    tellAllTiles(step.predicate);
    Branch branch{numbers_.of(step), nameOf("If", step.predicate), {}};
    branch.bodies.push_back(flowsOf(step.then));
    branch.bodies.push_back(flowsOf(step.otherwise));
    flows_.emplace_back(std::move(branch));
  }
  void operator()(const Switch& step) {
    tellAllTiles(step.selector);
    Branch branch{numbers_.of(step), nameOf("Switch", step.selector), {}};
    for (const Switch::Case& one : step.cases) branch.bodies.push_back(flowsOf(one.body));
    branch.bodies.push_back(flowsOf(step.otherwise));
    flows_.emplace_back(std::move(branch));
  }
  void operator()(const RepeatWhile& step) {
    WhileLoop loop{
        numbers_.of(step), nameOf("RepeatWhile", step.predicate), flowsOf(step.condition), {}};
    Flows outer = std::exchange(flows_, std::move(loop.condition));
    tellAllTiles(step.predicate);
    loop.condition = std::exchange(flows_, std::move(outer));
    loop.body = flowsOf(step.body);
    flows_.emplace_back(std::move(loop));
  }

 private:
  /// The flow of what is inside a step; `inside` is a Sequence or a Program.
  template <typename Inside>
  Flows flowsOf(const Inside& inside) {
    Flows outer = std::exchange(flows_, {});
    walk(inside, *this);
    return std::exchange(flows_, std::move(outer));
  }

  /// The flow of a function. Its steps are made at its first call, because every call runs equal
  /// steps.
  const Flows& bodyOf(FunctionId function) {
    const auto known = functions_.find(function);
    if (known != functions_.end()) return known->second;
    Flows body = flowsOf(graph_.function(function));
    return functions_[function] = std::move(body);
  }

  [[nodiscard]] std::string nameOf(const char* step, const Tensor& decision) const {
    return std::string(step) + " on " + ipusim::nameOf(decision, graph_);
  }

  template <typename Step>
  void add(const Step& step) {
    const std::size_t first = steps_.size();
    steps_.add(step);
    appendFrom(first);
  }
  void tellAllTiles(const Tensor& decision) {
    const std::size_t first = steps_.size();
    steps_.tellAllTiles(decision);
    appendFrom(first);
  }
  /// Appends the steps from `first` on.
  void appendFrom(std::size_t first) {
    flows_.emplace_back(
        FlowSteps{static_cast<StepId>(first), static_cast<std::uint32_t>(steps_.size() - first)});
  }

  const Graph& graph_;
  Steps& steps_;
  FlowNumbers numbers_;
  std::map<FunctionId, Flows> functions_;
  /// What the innermost loop or function that is being walked has so far.
  Flows flows_;
};

}  // namespace ipusim::compiler
