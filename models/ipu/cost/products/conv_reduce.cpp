// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/products/conv_reduce.h"

#include <algorithm>
#include <cmath>

#include "models/ipu/cost/elementwise/element_kinds.h"
#include "models/ipu/cost/workers.h"

namespace ipusim::models {
namespace {

// Worker cycles of a ReduceAdd vertex, as in the formulas of the header.
constexpr std::uint64_t kSeveralOverhead = 32;
constexpr std::uint64_t kSeveralPerPartial = 3;  // two loads and the add to the accumulators
constexpr std::uint64_t kRaggedPerPartial = 2;
constexpr std::uint64_t kRaggedFloat = 13;
constexpr std::uint64_t kRaggedHalf = 11;
constexpr std::uint64_t kSingleOverhead = 20;
constexpr std::uint64_t kSingleSupervisor = 33;

// Start-up of a round, by the type of the partials. A half output saves a store.
constexpr std::uint64_t kSeveralRoundFloat = 7;
constexpr std::uint64_t kSeveralRoundHalf = 9;
constexpr std::uint64_t kSingleRoundFloat = 8;
constexpr std::uint64_t kSingleRoundHalf = 10;
constexpr std::uint64_t kHalfOutputSaves = 1;

// What an exchange brings may be one array up to this part of a tile's memory.
constexpr std::uint64_t kSingleMemoryShare = 16;

// The depths from which a reduction takes two and three stages.
constexpr std::uint64_t kTwoStagesFrom = 16;
constexpr std::uint64_t kThreeStagesFrom = 125;

constexpr std::uint64_t kCastOverhead = 26;

/// The accumulators hold two vectors.
std::uint64_t accumulators(const Architecture& machine, ElementType partials) {
  return 2ULL * machine.vectorWidth(partials);
}

std::uint64_t onesIn(std::uint64_t bits) {
  std::uint64_t ones = 0;
  for (; bits != 0; bits &= bits - 1) ++ones;
  return ones;
}

Cycles severalCycles(const Architecture& machine, const ReduceAddShape& shape) {
  const std::uint64_t workers = machine.workers_per_tile;
  const std::uint64_t width = accumulators(machine, shape.partials);
  const std::uint64_t ragged = shape.outputs % width;
  // The rest is done in pieces of a power of two.
  const std::uint64_t rounds = shape.outputs / width + onesIn(ragged);

  std::uint64_t each = rounds / workers;
  std::uint64_t cycles = kSeveralOverhead;
  if (rounds % workers != 0 && ragged != 0) {
    cycles +=
        kRaggedPerPartial * shape.count + (isFloat(shape.partials) ? kRaggedFloat : kRaggedHalf);
  } else if (rounds % workers != 0) {
    ++each;
  }
  const std::uint64_t start = (isFloat(shape.partials) ? kSeveralRoundFloat : kSeveralRoundHalf) -
                              (isFloat(shape.output) ? 0 : kHalfOutputSaves);
  return Cycles(workers * (cycles + (kSeveralPerPartial * shape.count + start) * each));
}

Cycles singleCycles(const Architecture& machine, const ReduceAddShape& shape) {
  const std::uint64_t workers = machine.workers_per_tile;
  const std::uint64_t width = accumulators(machine, shape.partials);
  const std::uint64_t load_width = machine.vectorWidth(shape.partials) *
                                   (shape.memory == PartialsMemory::Interleaved ? 2ULL : 1ULL);
  const std::uint64_t loads = width / std::min(width, load_width);
  const std::uint64_t rounds = ceilDiv(shape.outputs / width, workers);
  const std::uint64_t start = (isFloat(shape.partials) ? kSingleRoundFloat : kSingleRoundHalf) -
                              (isFloat(shape.output) ? 0 : kHalfOutputSaves);
  return Cycles(workers * (kSingleOverhead + (loads * shape.count + start) * rounds) +
                kSingleSupervisor);
}

/// One tile's part of a stage.
Cycles stageCycles(const Architecture& machine, const ConvReduction& reduction,
                   const ReductionStage& stage) {
  if (stage.fan_in == 1) {
    if (reduction.partials == reduction.output) return Cycles(0);
    return castPlanCycles(machine, reduction.partials, reduction.output, stage.outputs);
  }
  const ReduceAddShape several{reduction.partials, reduction.output,      stage.outputs,
                               stage.fan_in,       ReduceInputs::Several, reduction.memory};
  return reduceAddCycles(machine, reduceAddFor(machine, several));
}

struct DepthSearch {
  double messages;  // messages that a result passes through, over all stages
  ReductionDepths depths;
};

/// The best depths after `depth`, with `stages` left.
DepthSearch searchDepths(std::uint64_t depth, std::uint32_t stages) {
  if (stages == 1) return {static_cast<double>(depth), {}};
  const double ideal = std::pow(static_cast<double>(depth), (stages - 1.0) / stages);
  const auto below = static_cast<std::uint64_t>(ideal);
  DepthSearch best{};
  for (const std::uint64_t next : {below + 1, below}) {
    DepthSearch rest = searchDepths(next, stages - 1);
    rest.messages += static_cast<double>(depth) / static_cast<double>(next);
    if (best.depths.count != 0 && rest.messages >= best.messages) continue;
    best.messages = rest.messages;
    best.depths.depth[0] = next;
    std::copy_n(rest.depths.depth.begin(), rest.depths.count, best.depths.depth.begin() + 1);
    best.depths.count = rest.depths.count + 1;
  }
  return best;
}

}  // namespace

Cycles reduceAddCycles(const Architecture& machine, const ReduceAddShape& shape) {
  return shape.inputs == ReduceInputs::Single ? singleCycles(machine, shape)
                                              : severalCycles(machine, shape);
}

ReduceAddShape reduceAddFor(const Architecture& machine, const ReduceAddShape& several) {
  ReduceAddShape shape = several;
  const std::uint64_t exchanged =
      (shape.count - 1) * shape.outputs * sizeOf(shape.partials).value();
  const bool fits = roundUp(exchanged, machine.memory_element.value()) <
                    machine.sram_per_tile.value() / kSingleMemoryShare;
  const bool whole = shape.outputs % accumulators(machine, shape.partials) == 0;
  if (whole && (fits || shape.memory == PartialsMemory::Interleaved)) {
    shape.inputs = ReduceInputs::Single;
    --shape.count;
  }
  return shape;
}

std::uint32_t reductionStageCount(std::uint64_t depth) {
  if (depth < kTwoStagesFrom) return 1;
  return depth < kThreeStagesFrom ? 2 : 3;
}

ReductionDepths reductionDepths(std::uint64_t depth) {
  const DepthSearch search = searchDepths(depth, reductionStageCount(depth));
  ReductionDepths depths{};
  depths.depth[0] = depth;
  std::copy_n(search.depths.depth.begin(), search.depths.count, depths.depth.begin() + 1);
  depths.count = search.depths.count + 1;
  return depths;
}

ReductionStages reductionStages(std::uint64_t partials, const ReductionDepths& depths) {
  ReductionStages stages{};
  std::uint64_t left = depths.depth[0];
  const auto add = [&](std::uint64_t fan_in) {
    partials = ceilDiv(partials, fan_in);
    left = ceilDiv(left, fan_in);
    stages.stage[stages.count++] = {fan_in, partials};
  };
  if (left == 0) return stages;
  for (std::uint32_t i = 1; i < depths.count; ++i) add(ceilDiv(left, depths.depth[i]));
  add(left);
  return stages;
}

Cycles convReductionCycles(const Architecture& machine, const ConvReduction& reduction,
                           const ReductionDepths& depths) {
  const ReductionStages stages = reductionStages(reduction.outputs * reduction.depth, depths);
  ConvReduction before_last = reduction;
  before_last.output = reduction.partials;
  Cycles cycles(0);
  for (std::uint32_t i = 0; i < stages.count; ++i) {
    const bool last = i + 1 == stages.count;
    cycles += stageCycles(machine, last ? reduction : before_last, stages.stage[i]);
  }
  return cycles;
}

Cycles castPlanCycles(const Architecture& machine, ElementType from, ElementType to,
                      std::uint64_t elements) {
  const std::uint64_t width = std::min(machine.vectorWidth(from), machine.vectorWidth(to));
  return tileCyclesOf(machine, ceilDiv(largestShare(machine, elements), width) + kCastOverhead);
}

}  // namespace ipusim::models
