// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/execute.h"

#include "base/error.h"
#include "sim/execute/exchange.h"
#include "sim/execute/family_data.h"
#include "sim/execute/lifetimes.h"

namespace ipusim::checker {

using compiler::BoundFamily;
using compiler::ControlNode;
using compiler::Executable;
using compiler::Step;
using models::StepKind;

namespace {

std::uint32_t stepsIn(const std::vector<ControlNode>& nodes) {
  std::uint32_t steps = 0;
  for (const ControlNode& node : nodes) steps += node.count == 0 ? 1 : stepsIn(node.body);
  return steps;
}

class Execution {
 public:
  Execution(const Executable& executable, TileMemories& memories, const AfterRound& after_round)
      : executable_(executable),
        memories_(memories),
        after_round_(after_round),
        lifetimes_(executable, memories) {}

  void run() {
    for (const Step& step : executable_.steps) {
      if (step.kind == StepKind::Exchange) verifyExchange(step, executable_.blocks);
    }
    walk(executable_.control);
  }

 private:
  void walk(const std::vector<ControlNode>& nodes) {
    for (const ControlNode& node : nodes) {
      if (ended_) return;
      if (node.count == 0) {
        runStep(executable_.steps[indexOf(node.step)]);
      } else {
        repeat(node);
      }
    }
  }

  void repeat(const ControlNode& node) {
    const std::uint32_t first = position_;
    const std::uint32_t steps = stepsIn(node.body);
    if (steps == 0) return;
    for (std::uint64_t i = 0; i < node.count && !ended_; ++i) {
      position_ = first;
      loops_.push_back({{first, first + steps - 1}, i, node.count - 1 - i});
      walk(node.body);
      loops_.pop_back();
      if (loops_.empty() && after_round_) ended_ = !after_round_();
    }
  }

  void runStep(const Step& step) {
    lifetimes_.begin(position_, loops_);
    for (const BoundFamily& family : step.families) runFamily(family);
    runExchange(step, executable_.blocks, memories_);
    lifetimes_.end(position_, loops_);
    ++position_;
  }

  void runFamily(const BoundFamily& family) {
    FamilyData data(family, executable_.blocks, memories_);
    for (std::uint32_t v = 0; v < family.count; ++v) {
      data.next();
      family.type->compute(data);
    }
    data.checkAtEnd();
  }

  const Executable& executable_;
  TileMemories& memories_;
  const AfterRound& after_round_;
  Lifetimes lifetimes_;
  std::uint32_t position_ = 0;
  std::vector<RunningLoop> loops_;
  bool ended_ = false;
};

}  // namespace

void execute(const Executable& executable, TileMemories& memories) {
  execute(executable, memories, {});
}

void execute(const Executable& executable, TileMemories& memories, const AfterRound& after_round) {
  Execution(executable, memories, after_round).run();
}

}  // namespace ipusim::checker
