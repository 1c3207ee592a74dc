// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <utility>

#include "sim/run/summary/mean.h"
#include "sim/run/summary/summarize.h"

namespace ipusim::run {

using compiler::Executable;
using compiler::Step;

namespace {

/// The largest number of bytes that live at a position of each step.
std::vector<Bytes> liveBytesOfSteps(const Executable& executable) {
  const std::vector<Bytes> at =
      executable.memory.liveness.total(executable.lowered.positions.size());
  std::vector<Bytes> of_step(executable.lowered.steps.size());
  for (std::size_t p = 0; p < executable.lowered.positions.size(); ++p) {
    Bytes& live = of_step[indexOf(executable.lowered.positions[p])];
    live = std::max(live, at[p]);
  }
  return of_step;
}

/// True where a tile does what the step is for, and does not wait for others.
bool isWork(StepKind kind) {
  return kind == StepKind::Compute || kind == StepKind::OnTileCopy || kind == StepKind::Exchange;
}

void addTimes(std::uint32_t step, const ChipResult& measured, StepResult& result) {
  const StepSpan& span = measured.spans[step];
  if (span.start <= span.end) {
    result.start = span.start;
    result.end = span.end;
  }
  Mean mean(measured.tiles);
  std::uint64_t all = 0;
  for (std::uint32_t t = 0; t < measured.tiles; ++t) {
    const Cycles busy = measured.busyOf(step, t);
    mean.add(busy);
    all = cappedSum(all, busy.value());
    if (busy <= result.cycles) continue;
    result.cycles = busy;
    result.max_tile = t;
  }
  result.mean_cycles = mean.exact();
  result.activity.tile_cycles = Cycles(all);
  if (isWork(result.kind)) result.activity.busy_tile_cycles = Cycles(all);
}

}  // namespace

std::vector<StepResult> summarizeSteps(const Executable& executable, const ChipResult& measured) {
  const std::vector<std::uint64_t> iterations =
      compiler::iterationsOf(executable.lowered.control, executable.lowered.steps.size());
  const std::vector<Bytes> live = liveBytesOfSteps(executable);
  std::vector<StepResult> steps;
  steps.reserve(executable.lowered.steps.size());
  for (std::uint32_t s = 0; s < executable.lowered.steps.size(); ++s) {
    const Step& step = executable.lowered.steps[s];
    StepResult result;
    result.name = step.name;
    result.kind = step.kind;
    result.iterations = iterations[s];
    for (const compiler::BoundFamily& family : step.families) result.vertices += family.count;
    const compiler::ExchangeVolume& volume = executable.traffic.volumes[s];
    result.exchange = {volume.bytes, volume.max_tile_bytes, volume.messages};
    result.host = step.host.bytes;
    if (step.kind == StepKind::RemoteEnd) result.remote = step.remote.bytes;
    result.live = live[s];
    result.measured = step.isMeasured();
    addTimes(s, measured, result);
    steps.push_back(std::move(result));
  }
  return steps;
}

}  // namespace ipusim::run
