// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/step_runner.h"

#include <utility>

#include "sim/execute/exchange.h"

namespace ipusim::executor {

using compiler::Message;
using compiler::Step;

StepRunner::StepRunner(const compiler::Executable& executable, TileMemories& memories,
                       RemoteRows& rows, std::uint64_t jobs, MeasureVertex measure)
    : executable_(executable),
      memories_(memories),
      rows_(rows),
      workers_(jobs),
      measure_(std::move(measure)),
      pieces_(executable.lowered.steps.size()),
      data_(workers_.threads(), FamilyData(executable.lowered.blocks, memories)) {}

void StepRunner::run(StepId id, const OnCycles& on_cycles) {
  std::optional<PiecesByTile>& pieces = pieces_[indexOf(id)];
  const Step& step = executable_.lowered.steps[indexOf(id)];
  if (step.kind == StepKind::RemoteBegin) rows_.move(step);
  if (!pieces) pieces.emplace(step, executable_.lowered.blocks);
  workers_.forEach(pieces->tiles(), [&](std::size_t tile, std::size_t thread) {
    runTile(id, pieces->of(tile), data_[thread], on_cycles);
  });
}

void StepRunner::runTile(StepId id, const TilePieces& pieces, FamilyData& data,
                         const OnCycles& on_cycles) {
  const Step& step = executable_.lowered.steps[indexOf(id)];
  std::uint32_t index = 0;  // of the next vertex on the tile
  std::uint32_t run = 0;    // of its VertexRun
  for (const TilePiece& piece : pieces) {
    if (compiler::movesMessages(step.kind)) {
      const Message message = step.messages.runs()[piece.index].at(piece.message);
      moveMessage({step.messages.formOf(message), message.from, message.begin.from,
                   step.messages.destinationOf(message, piece.receiver)},
                  executable_.lowered.blocks, memories_);
      continue;
    }
    const compiler::BoundFamily& family = step.families[piece.index];
    if (measure_ && !family.type->cost) {
      data.forEach(family, {id, family.tile, index}, [&](const VertexPlace& place) {
        const Cycles cycles = measure_(data, place);
        if (on_cycles) on_cycles(place, run, cycles);
        ++run;
      });
    } else {
      data.compute(family);
      ++run;
    }
    index += family.count;
  }
}

}  // namespace ipusim::executor
