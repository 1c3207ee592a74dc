// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/tile_programs.h"

#include <algorithm>
#include <utility>

#include "models/ipu/cost/exchange.h"
#include "models/ipu/cost/host.h"

namespace ipusim::compiler {

namespace {

bool isHostCopy(const Step& step) {
  return step.kind == StepKind::HostCopy;
}

class Writer {
 public:
  Writer(const Lowered& lowered, ExchangePlans plans, const Architecture& architecture)
      : lowered_(lowered), plans_(std::move(plans)), architecture_(architecture) {
    programs_.tiles.resize(architecture.tiles);
    computed_at_.resize(architecture.tiles, 0);
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
    switch (step.kind) {
      case StepKind::Compute:
      case StepKind::OnTileCopy:
        for (const BoundFamily& family : step.families) writeFamily(s, family);
        return;
      case StepKind::Sync:
        forAllTiles({OpKind::Sync, s});
        return;
      case StepKind::Exchange:
        writeExchange(s, plans_.at(s));
        return;
      case StepKind::HostCopy:
        writeHostTransfer(s);
        return;
    }
  }

 private:
  void forAllTiles(const TileOp& op) {
    for (TileProgram& tile : programs_.tiles) tile.ops.edit().push_back(op);
  }

  void writeHostTransfer(StepId s) {
    TileOp op{OpKind::HostTransfer, s};
    const auto end = lowered_.steps.begin() + indexOf(s);
    op.first = static_cast<std::uint32_t>(std::count_if(lowered_.steps.begin(), end, isHostCopy));
    forAllTiles(op);
  }

  void writeFamily(StepId s, const BoundFamily& family) {
    const std::uint32_t t = family.tile.tile();
    TileProgram& tile = programs_.tiles[t];
    if (computed_at_[t] != position_) {
      computed_at_[t] = position_;
      TileOp op{OpKind::Compute, s};
      op.first = static_cast<std::uint32_t>(tile.vertices.size());
      tile.ops.edit().push_back(op);
    }
    const VertexType& type = *family.type;
    tile.vertices.push_back({type.kind, family.count, type.cycles(architecture_)});
    ++tile.ops.edit().back().count;
  }

  void reserveTransmissions() {
    std::size_t transmissions = 0;
    std::size_t tiles = 0;
    for (const auto& [step, plan] : plans_) {
      transmissions += plan.transmissions.size();
      tiles += plan.transmission_tiles.size();
    }
    programs_.exchanges.reserve(plans_.size());
    programs_.transmissions.reserve(transmissions);
    programs_.transmission_tiles.reserve(tiles);
  }

  void writeExchange(StepId s, ExchangePlan& plan) {
    if (plan.mode == ExchangeMode::Bound) return writeBound(s, plan);
    TileOp op{OpKind::Exchange, s};
    op.first = exchangeOf(s, plan);
    for (std::size_t t = 0; t < plan.tiles.size(); ++t) {
      if (plan.tiles[t].takesPart()) programs_.tiles[t].ops.edit().push_back(op);
    }
  }

  void writeBound(StepId s, const ExchangePlan& plan) {
    for (std::size_t t = 0; t < plan.tiles.size(); ++t) {
      if (!plan.tiles[t].takesPart()) continue;
      TileProgram& tile = programs_.tiles[t];
      TileOp op{OpKind::ExchangeBound, s};
      op.first = static_cast<std::uint32_t>(tile.bounds.size());
      tile.bounds.push_back(plan.tiles[t].ports_free);
      tile.ops.edit().push_back(op);
    }
  }

  /// The chip's exchange of step `s`, which may be executed at more than one place.
  std::uint32_t exchangeOf(StepId s, ExchangePlan& plan) {
    const auto next = static_cast<std::uint32_t>(programs_.exchanges.size());
    const auto [exchange, is_new] = exchange_of_.emplace(s, next);
    if (is_new) moveTransmissions(plan);
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
    plan.transmissions = {};
    plan.transmission_tiles = {};
  }

  const Lowered& lowered_;
  ExchangePlans plans_;
  const Architecture& architecture_;
  ChipPrograms programs_;
  std::map<StepId, std::uint32_t> exchange_of_;
  std::uint64_t position_ = 0;              ///< steps written so far, each call's again
  std::vector<std::uint64_t> computed_at_;  ///< a tile: position of its last Compute
};

}  // namespace

ChipPrograms emit(const Lowered& lowered, ExchangePlans plans, const Architecture& architecture) {
  return Writer(lowered, std::move(plans), architecture).run();
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
    if (!isHostCopy(step)) continue;
    const Bytes bytes = step.host.bytes;
    transfers.push_back({models::hostTransferCycles(platform, bytes, step.host.path), bytes,
                         step.host.direction == HostDirection::ToChip});
  }
  return transfers;
}

}  // namespace ipusim::compiler
