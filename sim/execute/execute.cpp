// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/execute.h"

#include <vector>

#include "ipusim/error.h"
#include "sim/execute/exchange.h"
#include "sim/execute/lifetimes.h"
#include "sim/execute/step_runner.h"

namespace ipusim::executor {

using compiler::Executable;
using compiler::Loop;
using compiler::Step;

namespace {

class Execution {
 public:
  Execution(const Executable& executable, TileMemories& memories, const ExecuteOptions& options)
      : executable_(executable),
        after_round_(options.after_round),
        lifetimes_(executable, memories),
        own_rows_(executable, memories),
        runner_(executable, memories, options.rows != nullptr ? *options.rows : own_rows_,
                options.jobs) {}

  void run() {
    if (executable_.lowered.depends_on_data) {
      throw GraphError(
          "execute: wanted a program without If, Switch and RepeatWhile, found one "
          "that does what its data say");
    }
    verifyLiveness(executable_);
    for (const Step& step : executable_.lowered.steps) {
      if (compiler::movesMessages(step.kind)) verifyExchange(step, executable_.lowered.blocks);
    }
    walk(executable_.lowered.control, *this);
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
    lifetimes_.begin(position_, loops_);
    runner_.run(id);
    lifetimes_.end(position_, loops_);
    ++position_;
  }

 private:
  const Executable& executable_;
  const AfterRound& after_round_;
  Lifetimes lifetimes_;
  RemoteRows own_rows_;
  StepRunner runner_;
  std::uint32_t position_ = 0;
  std::vector<RunningLoop> loops_;
  bool ended_ = false;
};

}  // namespace

void execute(const Executable& executable, TileMemories& memories, const ExecuteOptions& options) {
  Execution(executable, memories, options).run();
}

}  // namespace ipusim::executor
