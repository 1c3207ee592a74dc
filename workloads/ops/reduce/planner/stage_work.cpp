// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/planner/stage_work.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "models/ipu/cost/exchange/exchange.h"
#include "workloads/ops/reduce/planner/intermediate_stage.h"

namespace ipusim::workloads {

namespace {

/// Shares by tile, with one stage for all.
class SharesByTile {
 public:
  SharesByTile(const ReduceStage& stage, PartialsIn from) : none_{stage, from, {}} {}

  void add(TileId tile, const ColumnPattern& pattern, std::vector<StageColumns> columns) {
    StageShare& share = shares_.try_emplace(tile, StageShare{tile, none_, {}}).first->second;
    share.reduction.patterns.push_back(pattern);
    share.columns.push_back(std::move(columns));
  }

  [[nodiscard]] std::vector<StageShare> take() {
    std::vector<StageShare> all;
    all.reserve(shares_.size());
    for (auto& [tile, share] : shares_) all.push_back(std::move(share));
    return all;
  }

 private:
  TileReduction none_;
  std::map<TileId, StageShare> shares_;
};

/// What one tile holds, cut at the columns where any of it begins or ends.
class HeldCuts {
 public:
  HeldCuts(const ReduceProblem& problem, std::vector<std::size_t> numbers)
      : held_(problem.held), numbers_(std::move(numbers)) {
    std::sort(numbers_.begin(), numbers_.end(), [this](std::size_t a, std::size_t b) {
      return std::tie(held_[a].begin, a) < std::tie(held_[b].begin, b);
    });
    for (const std::size_t h : numbers_) {
      cuts_.push_back(held_[h].begin);
      cuts_.push_back(held_[h].end);
    }
    std::sort(cuts_.begin(), cuts_.end());
    cuts_.erase(std::unique(cuts_.begin(), cuts_.end()), cuts_.end());
  }

  void addTo(SharesByTile& shares) {
    std::vector<std::size_t> active;
    auto next = numbers_.begin();
    for (std::size_t c = 0; c + 1 < cuts_.size(); ++c) {
      for (; next != numbers_.end() && held_[*next].begin == cuts_[c]; ++next) {
        active.push_back(*next);
      }
      active.erase(std::remove_if(active.begin(), active.end(),
                                  [&](std::size_t h) { return held_[h].end <= cuts_[c]; }),
                   active.end());
      if (active.empty()) continue;
      std::vector<StageColumns> columns;
      for (const std::size_t h : active) columns.push_back({cuts_[c], cuts_[c + 1], h});
      shares.add(held_[active.front()].tile, patternOf(cuts_[c + 1] - cuts_[c], active),
                 std::move(columns));
    }
  }

 private:
  [[nodiscard]] ColumnPattern patternOf(std::uint64_t width,
                                        const std::vector<std::size_t>& active) const {
    const HeldRows& first = held_[active.front()];
    if (active.size() == 1) return {width, first.inner, first.outer, first.stride};
    std::uint64_t rows = 0;
    for (const std::size_t h : active) rows += held_[h].rows();
    return {width, 1, rows, kAnyStride};
  }

  const std::vector<HeldRows>& held_;
  std::vector<std::size_t> numbers_;
  std::vector<std::uint64_t> cuts_;
};

std::vector<StageShare> heldShares(const ReduceProblem& problem, const ReduceStage& stage) {
  std::map<TileId, std::vector<std::size_t>> numbers;
  for (std::size_t h = 0; h < problem.held.size(); ++h) {
    if (problem.held[h].columns() > 0) numbers[problem.held[h].tile].push_back(h);
  }
  SharesByTile shares(stage, PartialsIn::Place);
  for (auto& [tile, own] : numbers) HeldCuts(problem, std::move(own)).addTo(shares);
  return shares.take();
}

/// The intervals of each tile, by their numbers.
std::map<TileId, std::vector<std::size_t>> intervalsByTile(
    const std::vector<TileInterval>& intervals) {
  std::map<TileId, std::vector<std::size_t>> numbers;
  for (std::size_t i = 0; i < intervals.size(); ++i) {
    if (intervals[i].begin < intervals[i].end) numbers[intervals[i].tile].push_back(i);
  }
  return numbers;
}

/// Rows of received partials.
ColumnPattern receivedRows(std::uint64_t columns, std::uint64_t rows) {
  return {columns, 1, rows, columns};
}

/// Columns of the final stage that have equally many partials.
struct FinalBand {
  StageColumns columns;
  std::uint64_t depth;
};

std::vector<FinalBand> finalBands(const FinalStage& stage,
                                  const std::vector<std::size_t>& intervals) {
  std::vector<FinalBand> all;
  for (const std::size_t i : intervals) {
    const TileInterval& interval = stage.reduced[i];
    for (const DepthBand& band : depthBands(stage.sources, interval.begin, interval.end)) {
      all.push_back({{band.begin, band.end, i}, band.depth});
    }
  }
  return all;
}

/// True when a tile gathers these bands as one block.
bool areOneBlock(const std::vector<FinalBand>& bands, std::uint64_t grain) {
  return std::all_of(bands.begin(), bands.end(), [&](const FinalBand& band) {
    return band.depth == bands.front().depth &&
           (band.columns.end - band.columns.begin) % grain == 0;
  });
}

std::uint64_t receiveCycles(const Architecture& machine, const TileReduction& reduction) {
  Bytes received(0);
  for (const ColumnPattern& pattern : reduction.patterns) {
    const Bytes row = sizeOf(reduction.stage.partials) * pattern.columns;
    received += models::receivedBytes(machine.fabric, row, 1) * pattern.rows();
  }
  return (models::portCycles(machine, received) + models::exchangePhaseOverhead(machine)).value();
}

StageCycles slowestOf(const Architecture& machine, const std::vector<StageShare>& shares) {
  StageCycles slowest;
  for (const StageShare& share : shares) {
    const TileWork work = planTileWork(machine, share.reduction);
    slowest.compute = std::max(slowest.compute, tileWorkCycles(machine, work));
    if (share.reduction.from == PartialsIn::Place) continue;
    slowest.exchange = std::max(slowest.exchange, Cycles(receiveCycles(machine, share.reduction)));
  }
  return slowest;
}

/// The exchange that brings the outputs to their places, if they are reduced elsewhere.
Cycles homeCycles(const Architecture& machine, const FinalStage& stage) {
  if (stage.result.empty()) return Cycles(0);
  std::map<TileId, std::uint64_t> outputs;
  for (const TileInterval& one : stage.result) outputs[one.tile] += one.end - one.begin;
  std::uint64_t most = 0;
  for (const auto& [tile, count] : outputs) most = std::max(most, count);
  return models::portCycles(machine, sizeOf(stage.stage.output) * most) +
         models::exchangePhaseOverhead(machine);
}

}  // namespace

std::vector<StageShare> onTileShares(const ReduceProblem& problem, const OnTileStage& stage) {
  return heldShares(problem, stage.stage);
}

std::vector<StageShare> intermediateShares(const IntermediateStage& stage) {
  SharesByTile shares(stage.stage, PartialsIn::Exchange);
  for (std::size_t r = 0; r < stage.reductions.size(); ++r) {
    const PartialReduction& one = stage.reductions[r];
    shares.add(one.tile, receivedRows(one.end - one.begin, one.last - one.first),
               {{one.begin, one.end, r}});
  }
  return shares.take();
}

std::vector<StageShare> finalShares(const TileCore& core, const ReduceProblem& problem,
                                    const FinalStage& stage) {
  if (stage.place == FinalPlace::AtColumns) return heldShares(problem, stage.stage);
  const std::uint64_t grain = reductionGrain(core, stage.stage.op, stage.stage.partials);
  SharesByTile shares(stage.stage, PartialsIn::Exchange);
  for (const auto& [tile, intervals] : intervalsByTile(stage.reduced)) {
    const std::vector<FinalBand> bands = finalBands(stage, intervals);
    if (!areOneBlock(bands, grain)) {
      for (const FinalBand& band : bands) {
        shares.add(tile, receivedRows(band.columns.end - band.columns.begin, band.depth),
                   {band.columns});
      }
      continue;
    }
    std::uint64_t width = 0;
    std::vector<StageColumns> columns;
    for (const FinalBand& band : bands) {
      width += band.columns.end - band.columns.begin;
      columns.push_back(band.columns);
    }
    shares.add(tile, receivedRows(width, bands.front().depth), std::move(columns));
  }
  return shares.take();
}

std::vector<StageCycles> reduceStageCycles(const Architecture& machine,
                                           const ReduceProblem& problem, const ReducePlan& plan) {
  std::vector<StageCycles> cycles;
  if (plan.form == ReduceForm::NoRows) return cycles;
  if (plan.on_tile) cycles.push_back(slowestOf(machine, onTileShares(problem, *plan.on_tile)));
  for (const IntermediateStage& stage : plan.intermediate) {
    cycles.push_back(slowestOf(machine, intermediateShares(stage)));
  }
  cycles.push_back(slowestOf(machine, finalShares(machine, problem, plan.final)));
  cycles.back().exchange += homeCycles(machine, plan.final);
  return cycles;
}

}  // namespace ipusim::workloads
