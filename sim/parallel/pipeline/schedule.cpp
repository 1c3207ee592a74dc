// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/schedule.h"

#include "ipusim/error.h"

namespace ipusim::parallel {

PipelineSchedule::PipelineSchedule(std::uint32_t stages, std::uint64_t micro_batches)
    : stages_(stages), micro_batches_(micro_batches) {
  check(stages > 0 && micro_batches >= fewestMicroBatches(stages), "a pipeline that fills");
}

bool PipelineSchedule::isForward(std::uint32_t stage, std::uint64_t cycle) const {
  return stage <= cycle && cycle < stage + micro_batches_;
}

bool PipelineSchedule::isBackward(std::uint32_t stage, std::uint64_t cycle) const {
  const std::uint64_t first = rampCycles() - stage;
  return first <= cycle && cycle < first + micro_batches_;
}

std::vector<CyclePattern> PipelineSchedule::patterns() const {
  std::vector<CyclePattern> patterns;
  const auto add = [&](std::uint64_t first, std::uint64_t count) {
    CyclePattern pattern{first, count, {}, {}};
    for (std::uint32_t stage = 0; stage < stages_; ++stage) {
      pattern.forward.push_back(isForward(stage, first));
      pattern.backward.push_back(isBackward(stage, first));
    }
    patterns.push_back(std::move(pattern));
  };
  const std::uint64_t ramp = rampCycles();
  for (std::uint64_t cycle = 0; cycle < ramp; ++cycle) add(cycle, 1);
  add(ramp, mainCycles());
  for (std::uint64_t cycle = cycles() - ramp; cycle < cycles(); ++cycle) add(cycle, 1);
  return patterns;
}

std::uint64_t PipelineSchedule::stashDepth(std::uint32_t stage) const {
  return stage + 1 == stages_ ? 0 : 2 * (std::uint64_t{stages_} - 1 - stage) + 1;
}

}  // namespace ipusim::parallel
