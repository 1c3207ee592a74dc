// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/emit/tile_programs.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "models/ipu/cost/exchange/exchange.h"
#include "models/ipu/cost/exchange/host.h"

namespace ipusim::compiler {

namespace {

/// The number of the step among those of its kind.
std::uint32_t numberInKind(const std::vector<Step>& steps, StepId s) {
  const Step* const step = &steps[indexOf(s)];
  return static_cast<std::uint32_t>(std::count_if(
      steps.data(), step, [&](const Step& other) { return other.kind == step->kind; }));
}

class Writer {
 public:
  Writer(const Lowered& lowered, ExchangePlans plans, const Architecture& architecture,
         WithoutCost without_cost)
      : lowered_(lowered),
        plans_(std::move(plans)),
        architecture_(architecture),
        without_cost_(without_cost) {
    programs_.tiles.resize(architecture.tiles);
    computed_at_.resize(architecture.tiles, 0);
    turns_.resize(architecture.tiles);
    programs_.steps = static_cast<std::uint32_t>(lowered.steps.size());
    reserveTransmissions();
  }

  ChipPrograms run() {
    walk(lowered_.control, *this);
    shareEqualOps(programs_.tiles);
    return std::move(programs_);
  }

  void operator()(const Loop& loop) {
    TileOp begin{OpKind::RepeatBegin};
    begin.iterations = loop.iterations;
    forAllTiles(begin);
    walk(loop.body, *this);
    forAllTiles({OpKind::RepeatEnd});
  }

  void operator()(StepId s) {
    const Step& step = lowered_.steps[indexOf(s)];
    ++position_;
    if (!step.measured.empty()) return writeMeasured(s, step);
    switch (step.kind) {
      case StepKind::Compute:
      case StepKind::OnTileCopy:
        writeFamilies(s, step.families);
        return;
      case StepKind::Sync:
        forAllTiles({OpKind::Sync, s});
        return;
      case StepKind::Exchange:
        writeExchange(s);
        return;
      case StepKind::HostCopy:
        writeTransfer(OpKind::HostTransfer, s);
        return;
      case StepKind::GlobalExchange:
        writeTransfer(OpKind::GlobalExchange, s);
        return;
      case StepKind::RemoteBegin:
        writeTransfer(OpKind::RemoteBegin, s);
        return;
      case StepKind::RemoteEnd:
        writeTransfer(OpKind::RemoteEnd, s);
        return;
    }
  }

 private:
  void forAllTiles(const TileOp& op) {
    for (TileProgram& tile : programs_.tiles) tile.ops.edit().push_back(op);
  }

  void writeMeasured(StepId s, const Step& step) {
    const bool moves = step.kind == StepKind::Exchange;
    for (const auto& [id, cycles] : step.measured) {
      TileProgram& tile = programs_.tiles[id.tile()];
      TileOp op{moves ? OpKind::ExchangeMeasured : OpKind::ComputeMeasured, s};
      op.first = static_cast<std::uint32_t>(tile.waits.size());
      tile.waits.push_back(cycles);
      tile.ops.edit().push_back(op);
    }
  }

  void writeTransfer(OpKind kind, StepId s) {
    TileOp op{kind, s};
    op.first = numberInKind(lowered_.steps, s);
    forAllTiles(op);
  }

  void writeFamilies(StepId s, const std::vector<BoundFamily>& families) {
    for (const BoundFamily& family : families) {
      const std::uint32_t t = family.tile.tile();
      if (!family.round_robin) writeTurns(t);
      if (computed_at_[t] != position_) {
        computed_at_[t] = position_;
        TileOp op{OpKind::Compute, s};
        op.first = static_cast<std::uint32_t>(programs_.tiles[t].vertices.size());
        programs_.tiles[t].ops.edit().push_back(op);
      }
      if (!family.type->cost && without_cost_ == WithoutCost::Apart) {
        writeTurns(t);
        writeApart(t, family);
      } else {
        turns_[t].push_back(runOf(family));
      }
    }
    for (std::uint32_t t = 0; t < turns_.size(); ++t) writeTurns(t);
  }

  /// Writes each vertex of a family as a run of its own.
  void writeApart(std::uint32_t t, const BoundFamily& family) {
    TileProgram& tile = programs_.tiles[t];
    tile.vertices.insert(tile.vertices.end(), family.count, {family.type->kind, 1, Cycles(0)});
    tile.ops.edit().back().count += family.count;
  }

  VertexRun runOf(const BoundFamily& family) {
    const VertexType& type = *family.type;
    const auto [cycles, is_new] = cycles_of_.try_emplace(&type);
    if (is_new) cycles->second = type.cycles(architecture_);
    return {type.kind, family.count, cycles->second};
  }

  /// Writes the vertices of the families that take turns on a tile.
  void writeTurns(std::uint32_t t) {
    std::vector<VertexRun>& turns = turns_[t];
    if (turns.empty()) return;
    TileProgram& tile = programs_.tiles[t];
    if (turns.size() == 1) {
      tile.vertices.push_back(turns.front());
    } else {
      while (writeTurn(turns, tile)) {
      }
    }
    TileOp& op = tile.ops.edit().back();
    op.count = static_cast<std::uint32_t>(tile.vertices.size()) - op.first;
    turns.clear();
  }

  /// Writes one vertex of each family that still has one. Returns false if no family has.
  static bool writeTurn(std::vector<VertexRun>& turns, TileProgram& tile) {
    bool any = false;
    for (VertexRun& left : turns) {
      if (left.count == 0) continue;
      --left.count;
      any = true;
      tile.vertices.push_back({left.kind, 1, left.cycles});
    }
    return any;
  }

  void reserveTransmissions() {
    std::size_t transmissions = 0;
    std::size_t tiles = 0;
    for (const ExchangePlan& plan : plans_.plans) {
      transmissions += plan.transmissions.size();
      tiles += plan.transmission_tiles.size();
    }
    programs_.exchanges.reserve(plans_.plans.size());
    programs_.transmissions.reserve(transmissions);
    programs_.transmission_tiles.reserve(tiles);
  }

  void writeExchange(StepId s) {
    const std::uint32_t number = plans_.of_step.at(s);
    const ExchangePlan& plan = plans_.plans[number];
    if (plan.mode == ExchangeMode::Bound) return writeBound(s, plan);
    TileOp op{OpKind::Exchange, s};
    op.first = exchangeOf(number);
    for (std::size_t t = 0; t < plan.tiles.size(); ++t) {
      if (plan.tiles[t].takesPart()) programs_.tiles[t].ops.edit().push_back(op);
    }
  }

  void writeBound(StepId s, const ExchangePlan& plan) {
    for (std::size_t t = 0; t < plan.tiles.size(); ++t) {
      if (!plan.tiles[t].takesPart()) continue;
      TileProgram& tile = programs_.tiles[t];
      TileOp op{OpKind::ExchangeBound, s};
      op.first = static_cast<std::uint32_t>(tile.waits.size());
      tile.waits.push_back(plan.tiles[t].ports_free);
      tile.ops.edit().push_back(op);
    }
  }

  /// The number of a plan's exchange on the chip. A plan may be executed at more than one place.
  std::uint32_t exchangeOf(std::uint32_t plan) {
    const auto next = static_cast<std::uint32_t>(programs_.exchanges.size());
    const auto [exchange, is_new] = exchange_of_.emplace(plan, next);
    if (is_new) moveTransmissions(plans_.plans[plan]);
    return exchange->second;
  }

  void moveTransmissions(ExchangePlan& plan) {
    const auto first_tile = static_cast<std::uint32_t>(programs_.transmission_tiles.size());
    programs_.exchanges.push_back({static_cast<std::uint32_t>(programs_.transmissions.size()),
                                   static_cast<std::uint32_t>(plan.transmissions.size())});
    for (Transmission transmission : plan.transmissions) {
      transmission.first_tile += first_tile;
      programs_.transmissions.push_back(transmission);
    }
    programs_.transmission_tiles.insert(programs_.transmission_tiles.end(),
                                        plan.transmission_tiles.begin(),
                                        plan.transmission_tiles.end());
    // An empty list in braces would keep the memory.
    plan.transmissions = std::vector<Transmission>();
    plan.transmission_tiles = std::vector<TileId>();
  }

  const Lowered& lowered_;
  ExchangePlans plans_;
  const Architecture& architecture_;
  WithoutCost without_cost_;
  ChipPrograms programs_;
  std::map<std::uint32_t, std::uint32_t> exchange_of_;  ///< exchange by number of plan
  std::unordered_map<const VertexType*, Cycles> cycles_of_;
  std::uint64_t position_ = 0;                 ///< steps written; each call of a function counts
  std::vector<std::vector<VertexRun>> turns_;  ///< one entry per tile: families still to be written
  std::vector<std::uint64_t> computed_at_;     ///< one entry per tile: position of its last Compute
};

}  // namespace

ChipPrograms emit(const Lowered& lowered, ExchangePlans plans, const Architecture& architecture,
                  WithoutCost without_cost) {
  return Writer(lowered, std::move(plans), architecture, without_cost).run();
}

ChipTiming timingOf(const Architecture& architecture, const Platform& platform, TimingMode timing) {
  ChipTiming chip;
  chip.clock_hz = platform.clock_hz;
  chip.workers = architecture.workers_per_tile;
  if (timing == TimingMode::Program) {
    chip.vertex_launch = architecture.overheads.vertex_launch;
    chip.supervisor_call = architecture.overheads.supervisor_call;
    chip.compute_set_entry = architecture.overheads.compute_set_entry;
  }
  if (timing == TimingMode::TileCountersRaw) chip.compute_set_entry = platform.cycle_counter;
  chip.sync_base = architecture.fabric.sync_base;
  for (std::uint32_t t = 0; t < architecture.tiles; ++t) {
    chip.sync_distance.push_back(models::syncDistance(architecture, t));
  }
  return chip;
}

std::vector<HostTransfer> hostTransfersOf(const std::vector<Step>& steps,
                                          const Platform& platform) {
  std::vector<HostTransfer> transfers;
  for (const Step& step : steps) {
    if (step.kind != StepKind::HostCopy) continue;
    const Bytes bytes = step.host.bytes;
    const Cycles cycles =
        step.host.measured.value_or(models::hostTransferCycles(platform, bytes, step.host.path));
    transfers.push_back({cycles, bytes, step.host.direction == HostDirection::ToChip});
  }
  return transfers;
}

}  // namespace ipusim::compiler
