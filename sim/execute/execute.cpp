// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/execute.h"

#include <optional>
#include <vector>

#include "base/workers.h"
#include "ipusim/error.h"
#include "sim/execute/by_tile.h"
#include "sim/execute/exchange.h"
#include "sim/execute/family_data.h"
#include "sim/execute/lifetimes.h"

namespace ipusim::checker {

using compiler::Executable;
using compiler::Loop;
using compiler::Message;
using compiler::Step;

namespace {

class Execution {
 public:
  Execution(const Executable& executable, TileMemories& memories, const ExecuteOptions& options)
      : executable_(executable),
        memories_(memories),
        after_round_(options.after_round),
        lifetimes_(executable, memories),
        own_rows_(executable, memories),
        rows_(options.rows != nullptr ? *options.rows : own_rows_),
        workers_(options.jobs),
        pieces_(executable.steps.size()),
        data_(workers_.threads(), FamilyData(executable.blocks, memories)) {}

  void run() {
    if (executable_.depends_on_data) {
      throw GraphError(
          "execute: wanted a program without If, Switch and RepeatWhile, found one "
          "that does what its data say");
    }
    verifyLiveness(executable_);
    for (const Step& step : executable_.steps) {
      if (compiler::movesMessages(step.kind)) verifyExchange(step, executable_.blocks);
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
    lifetimes_.begin(position_, loops_);
    std::optional<PiecesByTile>& pieces = pieces_[indexOf(id)];
    const Step& step = executable_.steps[indexOf(id)];
    if (step.kind == StepKind::RemoteBegin) rows_.move(step);
    if (!pieces) pieces.emplace(step, executable_.blocks);
    workers_.forEach(pieces->tiles(), [&](std::size_t tile, std::size_t thread) {
      runTile(step, pieces->of(tile), data_[thread]);
    });
    lifetimes_.end(position_, loops_);
    ++position_;
  }

 private:
  void runTile(const Step& step, const TilePieces& pieces, FamilyData& data) {
    for (const TilePiece& piece : pieces) {
      if (compiler::movesMessages(step.kind)) {
        const Message message = step.messages.runs()[piece.index].at(piece.message);
        moveMessage({step.messages.formOf(message), message.from, message.begin.from,
                     step.messages.landingOf(message, piece.receiver)},
                    executable_.blocks, memories_);
      } else {
        data.compute(step.families[piece.index]);
      }
    }
  }

  const Executable& executable_;
  TileMemories& memories_;
  const AfterRound& after_round_;
  Lifetimes lifetimes_;
  RemoteRows own_rows_;
  RemoteRows& rows_;
  Workers workers_;
  std::vector<std::optional<PiecesByTile>> pieces_;  ///< per step, filled when it first runs
  std::vector<FamilyData> data_;                     ///< one entry per thread
  std::uint32_t position_ = 0;
  std::vector<RunningLoop> loops_;
  bool ended_ = false;
};

}  // namespace

void execute(const Executable& executable, TileMemories& memories, const ExecuteOptions& options) {
  Execution(executable, memories, options).run();
}

}  // namespace ipusim::checker
