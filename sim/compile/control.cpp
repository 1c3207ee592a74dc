// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/control.h"

namespace ipusim::compiler {

namespace {

struct StepCollector {
  std::vector<StepId> steps;

  void operator()(StepId step) { steps.push_back(step); }
  void operator()(const Loop& loop) { walk(loop.body, *this); }
};

}  // namespace

std::vector<StepId> programOrder(const std::vector<Control>& control) {
  StepCollector collector;
  walk(control, collector);
  return std::move(collector.steps);
}

}  // namespace ipusim::compiler
