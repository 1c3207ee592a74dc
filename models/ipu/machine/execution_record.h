// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "ipusim/error.h"
#include "ipusim/ids.h"
#include "ipusim/units.h"

// What the data of a run decides about its time. A run with real numbers writes the record. A
// timing engine, which has no numbers, plays it.

namespace ipusim {

/// A value at one point of a program that may differ from one iteration to the next. Iteration i is
/// the i-th time, counted from 0, that the run comes to the point, whatever loops surround it.
/// Equal values in a row are stored once.
template <typename Value>
class PerIteration {
 public:
  /// Adds the value of the next iteration, or of the next `times` iterations.
  void append(const Value& value, std::uint64_t times = 1) {
    if (times == 0) return;
    if (runs_.empty() || runs_.back().value != value) runs_.push_back({iterations_, value});
    iterations_ = checkedSum(iterations_, times);
  }

  [[nodiscard]] std::uint64_t iterations() const { return iterations_; }

  /// The value of an iteration. Throws InternalError when it was not appended.
  [[nodiscard]] const Value& at(std::uint64_t iteration) const {
    check(iteration < iterations_, "an iteration that the execution record does not have");
    const auto next = std::upper_bound(
        runs_.begin(), runs_.end(), iteration,
        [](std::uint64_t wanted, const Run& run) { return wanted < run.first_iteration; });
    return std::prev(next)->value;
  }

  /// Calls `visit(value, times)` with each value and how often it comes in a row, in order.
  template <typename Visit>
  void forEachRun(const Visit& visit) const {
    for (std::size_t r = 0; r < runs_.size(); ++r) {
      const std::uint64_t end = r + 1 < runs_.size() ? runs_[r + 1].first_iteration : iterations_;
      visit(runs_[r].value, end - runs_[r].first_iteration);
    }
  }

  friend bool operator==(const PerIteration& a, const PerIteration& b) {
    return a.iterations_ == b.iterations_ && a.runs_ == b.runs_;
  }
  friend bool operator!=(const PerIteration& a, const PerIteration& b) { return !(a == b); }

 private:
  struct Run {
    std::uint64_t first_iteration;
    Value value;

    friend bool operator==(const Run& a, const Run& b) {
      return a.first_iteration == b.first_iteration && a.value == b.value;
    }
  };

  std::vector<Run> runs_;  ///< neighbours have different values
  std::uint64_t iterations_ = 0;
};

/// A vertex of a compiled program.
struct VertexPlace {
  StepId step;
  TileId tile;
  std::uint32_t index;  ///< the vertex's place among the vertices of the tile in that step

  friend bool operator<(const VertexPlace& a, const VertexPlace& b) {
    return std::tie(a.step, a.tile, a.index) < std::tie(b.step, b.tile, b.index);
  }
  friend bool operator==(const VertexPlace& a, const VertexPlace& b) {
    return std::tie(a.step, a.tile, a.index) == std::tie(b.step, b.tile, b.index);
  }
};

using CyclesByTile = std::map<TileId, Cycles>;

/// What a step of a compiled program took on a real machine, each time that the step ran.
struct MeasuredStep {
  std::variant<std::string, StepId> step;  ///< the name of the step in results, or its number
  /// Cycles that each tile spends in the step. One number stands for all tiles that take part. For
  /// a transfer between the host and the chip there is one number, from the release of the sync
  /// before the transfer until it is done.
  std::variant<Cycles, CyclesByTile> cycles;

  friend bool operator==(const MeasuredStep& a, const MeasuredStep& b) {
    return a.step == b.step && a.cycles == b.cycles;
  }
};

/// Thrown where an execution record does not fit the program.
class RecordError : public GraphError {
 public:
  using GraphError::GraphError;
};

/// The default of ExecutionRecord::most_steps.
constexpr std::uint64_t kMostReplayedSteps = 200'000;

/// All that timing one run of a program needs besides the program itself. The record is empty for a
/// program whose control flow and costs do not depend on data.
struct ExecutionRecord {
  /// One entry per If and Switch: which body ran. If: 0 when the predicate was true, 1 otherwise.
  /// Switch: the index of the case, or the number of cases when none matched.
  std::vector<PerIteration<std::uint32_t>> branches;
  /// One entry per RepeatWhile: how often its body ran, 0 included.
  std::vector<PerIteration<std::uint64_t>> trips;
  /// Cycles of the vertices whose type has no cost function. Worker: issue slots. Supervisor: tile
  /// cycles.
  std::map<VertexPlace, PerIteration<Cycles>> cycles;
  /// Steps whose measured time replaces the one that the model predicts.
  std::vector<MeasuredStep> measured;
  /// A replay that comes to more steps than this is refused.
  std::uint64_t most_steps = kMostReplayedSteps;

  [[nodiscard]] std::uint32_t branch(BranchId id, std::uint64_t iteration) const {
    return branches.at(indexOf(id)).at(iteration);
  }
  [[nodiscard]] std::uint64_t tripCount(WhileId id, std::uint64_t iteration) const {
    return trips.at(indexOf(id)).at(iteration);
  }
  [[nodiscard]] Cycles cyclesOf(const VertexPlace& vertex, std::uint64_t iteration) const {
    return cycles.at(vertex).at(iteration);
  }

  friend bool operator==(const ExecutionRecord& a, const ExecutionRecord& b) {
    return a.branches == b.branches && a.trips == b.trips && a.cycles == b.cycles &&
           a.measured == b.measured;
  }
  friend bool operator!=(const ExecutionRecord& a, const ExecutionRecord& b) { return !(a == b); }
};

}  // namespace ipusim
