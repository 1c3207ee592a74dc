// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/execute.h"

#include "ipusim/error.h"
#include "sim/execute/exchange.h"
#include "sim/execute/family_data.h"
#include "sim/execute/lifetimes.h"

namespace ipusim::checker {

using compiler::BoundFamily;
using compiler::Executable;
using compiler::Loop;
using compiler::Step;

namespace {

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
    walk(executable_.control, *this);
  }

  void operator()(const Loop& loop) {
    const std::uint32_t first = position_;
    const auto steps = static_cast<std::uint32_t>(programOrder(loop.body).size());
    if (steps == 0) return;
    for (std::uint64_t i = 0; i < loop.iterations && !ended_; ++i) {
      position_ = first;
      loops_.push_back({{first, first + steps - 1}, i, loop.iterations - 1 - i});
      walk(loop.body, *this);
      loops_.pop_back();
      if (loops_.empty() && after_round_) ended_ = !after_round_();
    }
  }

  void operator()(StepId id) {
    if (ended_) return;
    const Step& step = executable_.steps[indexOf(id)];
    lifetimes_.begin(position_, loops_);
    for (const BoundFamily& family : step.families) runFamily(family);
    runExchange(step, executable_.blocks, memories_);
    lifetimes_.end(position_, loops_);
    ++position_;
  }

 private:
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
