// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/control.h"

namespace ipusim::compiler {

namespace {

struct StepCollector {
  std::vector<StepId> steps;

  void operator()(StepId step) { steps.push_back(step); }
  void operator()(const Loop& loop) { walk(loop.body, *this); }
};

/// Counts how often each step runs. The body of a Loop counts as often as the Loop repeats it.
struct IterationCounter {
  std::vector<std::uint64_t>& of_step;
  std::uint64_t times = 1;

  void operator()(StepId step) const { of_step[indexOf(step)] += times; }
  void operator()(const Loop& loop) const {
    walk(loop.body, IterationCounter{of_step, times * loop.iterations});
  }
};

}  // namespace

std::vector<StepId> programOrder(const std::vector<Control>& control) {
  StepCollector collector;
  walk(control, collector);
  return std::move(collector.steps);
}

std::vector<std::uint64_t> iterationsOf(const std::vector<Control>& control, std::size_t steps) {
  std::vector<std::uint64_t> iterations(steps, 0);
  walk(control, IterationCounter{iterations});
  return iterations;
}

}  // namespace ipusim::compiler
