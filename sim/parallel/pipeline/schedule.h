// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

// The order in which the stages of a pipeline work. Cycles count from 0: in each, every active
// stage runs the forward pass of one micro-batch and the backward pass of an earlier one, and then
// all stages exchange at once.
// Source: graphcore/popart docs/notes/transforms/pipelining.md, willow/src/transforms/pipeline.cpp
// (MIT).

namespace ipusim::parallel {

/// Consecutive pipeline cycles in which the same stages are active.
struct CyclePattern {
  std::uint64_t first;
  std::uint64_t cycles;
  std::vector<bool> forward;   ///< one entry per stage
  std::vector<bool> backward;  ///< one entry per stage
};

class PipelineSchedule {
 public:
  /// For S > 1 stages, needs at least 2S - 1 micro-batches.
  PipelineSchedule(std::uint32_t stages, std::uint64_t micro_batches);

  /// The fewest micro-batches that fill the forward and backward passes of S stages, 2S - 1.
  static std::uint64_t fewestMicroBatches(std::uint32_t stages) {
    return 2 * std::uint64_t{stages} - 1;
  }

  /// G + 2S - 2: 2S - 2 that fill the pipeline, then main ones, then 2S - 2 that flush it.
  [[nodiscard]] std::uint64_t cycles() const { return micro_batches_ + rampCycles(); }
  [[nodiscard]] std::uint64_t rampCycles() const { return 2 * std::uint64_t{stages_} - 2; }
  [[nodiscard]] std::uint64_t mainCycles() const { return micro_batches_ - rampCycles(); }

  /// All cycles, in order.
  [[nodiscard]] std::vector<CyclePattern> patterns() const;

  /// The micro-batches that the stage keeps for its backward passes: 2 (S - 1 - s) + 1, and none
  /// in the last stage.
  [[nodiscard]] std::uint64_t stashDepth(std::uint32_t stage) const;

 private:
  [[nodiscard]] bool isForward(std::uint32_t stage, std::uint64_t cycle) const;
  [[nodiscard]] bool isBackward(std::uint32_t stage, std::uint64_t cycle) const;

  std::uint32_t stages_;
  std::uint64_t micro_batches_;
};

}  // namespace ipusim::parallel
