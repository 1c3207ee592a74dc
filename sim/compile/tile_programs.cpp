// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/tile_programs.h"

#include "models/ipu/cost/exchange.h"

namespace ipusim::compiler {

using models::ChipPrograms;
using models::ChipTiming;
using models::Machine;
using models::OpKind;
using models::TileOp;
using models::TileProgram;

namespace {

class Writer {
 public:
  Writer(const Executable& executable, const ExchangePlans& plans)
      : executable_(executable), plans_(plans) {
    programs_.tiles.resize(executable.machine.tiles);
    computed_at_.resize(executable.machine.tiles, 0);
    programs_.steps = static_cast<std::uint32_t>(executable.steps.size());
  }

  ChipPrograms run() {
    write(executable_.control);
    return std::move(programs_);
  }

 private:
  void write(const std::vector<ControlNode>& nodes) {
    for (const ControlNode& node : nodes) {
      if (node.count == 0) {
        writeStep(static_cast<std::uint32_t>(node.step));
        continue;
      }
      forAllTiles(OpKind::RepeatBegin, 0, node.count);
      write(node.body);
      forAllTiles(OpKind::RepeatEnd, 0, 0);
    }
  }

  void writeStep(std::uint32_t s) {
    const Step& step = executable_.steps[s];
    ++position_;
    switch (step.kind) {
      case StepKind::Compute:
      case StepKind::OnTileCopy:
        for (const BoundFamily& family : step.families) writeFamily(s, family);
        return;
      case StepKind::Sync:
        forAllTiles(OpKind::Sync, s, 0);
        return;
      case StepKind::Exchange:
        writeExchange(s);
        return;
      case StepKind::HostCopy:
        writeHostTransfer(s, step.host.cycles);
        return;
    }
  }

  void forAllTiles(OpKind kind, std::uint32_t step, std::uint64_t iterations) {
    for (TileProgram& tile : programs_.tiles) {
      TileOp op{};
      op.kind = kind;
      op.step = step;
      op.iterations = iterations;
      tile.ops.push_back(op);
    }
  }

  void writeHostTransfer(std::uint32_t s, Cycles cycles) {
    for (TileProgram& tile : programs_.tiles) {
      TileOp op{};
      op.kind = OpKind::HostTransfer;
      op.step = s;
      op.transfer = cycles;
      tile.ops.push_back(op);
    }
  }

  void writeFamily(std::uint32_t s, const BoundFamily& family) {
    const std::uint32_t t = family.tile.tile();
    TileProgram& tile = programs_.tiles[t];
    if (computed_at_[t] != position_) {
      computed_at_[t] = position_;
      TileOp op{};
      op.kind = OpKind::Compute;
      op.step = s;
      op.first = static_cast<std::uint32_t>(tile.vertices.size());
      tile.ops.push_back(op);
    }
    const workloads::Codelet& codelet = *family.codelet;
    tile.vertices.push_back({codelet.kind(), family.count, codelet.cycles(executable_.machine)});
    ++tile.ops.back().count;
  }

  void writeExchange(std::uint32_t s) {
    const ExchangePlan& plan = plans_.at(StepId{s});
    for (std::size_t t = 0; t < plan.size(); ++t) {
      if (!plan[t].takesPart()) continue;
      TileProgram& tile = programs_.tiles[t];
      TileOp op{};
      op.kind = OpKind::Exchange;
      op.step = s;
      op.first = static_cast<std::uint32_t>(tile.sends.size());
      op.count = static_cast<std::uint32_t>(plan[t].sends.size());
      op.first_receive = static_cast<std::uint32_t>(tile.receives.size());
      op.receive_count = static_cast<std::uint32_t>(plan[t].receives.size());
      tile.sends.insert(tile.sends.end(), plan[t].sends.begin(), plan[t].sends.end());
      tile.receives.insert(tile.receives.end(), plan[t].receives.begin(), plan[t].receives.end());
      tile.ops.push_back(op);
    }
  }

  const Executable& executable_;
  const ExchangePlans& plans_;
  ChipPrograms programs_;
  std::uint64_t position_ = 0;              ///< steps written so far, each call's again
  std::vector<std::uint64_t> computed_at_;  ///< a tile: position of its last Compute
};

}  // namespace

ChipTiming timingOf(const Machine& machine, Timing timing) {
  ChipTiming chip;
  chip.workers = machine.workers_per_tile;
  if (timing == Timing::Program) {
    chip.vertex_launch = machine.overheads.vertex_launch;
    chip.supervisor_call = machine.overheads.supervisor_call;
    chip.compute_set_entry = machine.overheads.compute_set_entry;
  }
  if (timing == Timing::TileCountersRaw) chip.compute_set_entry = machine.overheads.cycle_counter;
  chip.sync_base = machine.fabric.sync_base;
  for (std::uint32_t t = 0; t < machine.tiles; ++t) {
    chip.sync_distance.push_back(models::syncDistance(machine, t));
  }
  return chip;
}

ChipPrograms writePrograms(const Executable& executable, const ExchangePlans& plans) {
  return Writer(executable, plans).run();
}

}  // namespace ipusim::compiler
