// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/products/amp.h"

#include <algorithm>

#include "models/ipu/cost/elementwise/element_kinds.h"
#include "models/ipu/cost/position_cost.h"

namespace ipusim::models {
namespace {

enum class Zeroing : std::uint8_t { No, Yes };
enum class IdleWorkers : std::uint8_t { RunEmpty, Free };

// Worker cycles of one pass.
constexpr PositionCost kFloatWorker{24, 47, 46, 46, 8};
constexpr PositionCost kHalfWorker{24, 39, 40, 41, 4};
// Half inputs with 16 engines or float partials share code that clears as it accumulates.
constexpr PositionCost kHalfCommonZeroing{21, 32, 41, 37, 4};
constexpr PositionCost kHalfCommon{22, 33, 42, 38, 4};

// Turns to clear the partials of one position, and turns that are added once.
constexpr std::uint64_t kAmpZeroOverhead = 2;
constexpr std::uint64_t kZeroFloatInputsDual = 8;
constexpr std::uint64_t kZeroFloatPartials = 4;
constexpr std::uint64_t kZeroHalfPartials = 2;

// Turns that a worker saves by keeping its state between calls, and that the supervisor spends
// instead.
constexpr std::uint64_t kRetainedByWorker = 7;
constexpr std::uint64_t kRetainedEachCall = 3;

// Supervisor cycles, as in the formula of the header.
constexpr std::uint64_t kAmpVertexOverhead = 50;
constexpr std::uint64_t kAmpConvGroupOverhead = 12;
constexpr std::uint64_t kFirstInGroupOverhead = 11;
constexpr std::uint64_t kAmpInGroupOverhead = 16;
constexpr std::uint64_t kAmpOutGroupOverhead = 19;
constexpr std::uint64_t kAmpPassOverhead = 6;
constexpr std::uint64_t kZeroingPassOverhead = 7;
constexpr std::uint64_t kAmpUnevenWorkersOverhead = 14;

/// True for half inputs with the code for 16 engines or for float partials.
bool halfCommon(const AmpEngine& engine) {
  return isHalf(engine.inputs) && (!isHalf(engine.partials) || engine.conv_units == kDualAmpUnits);
}

const PositionCost& workerCost(const AmpEngine& engine, Zeroing zeroing) {
  if (!isHalf(engine.inputs)) return kFloatWorker;
  if (!halfCommon(engine)) return kHalfWorker;
  return zeroing == Zeroing::Yes ? kHalfCommonZeroing : kHalfCommon;
}

std::uint64_t zeroingCycles(const AmpEngine& engine, std::uint64_t positions) {
  if (halfCommon(engine) || positions == 0) return 0;
  if (isHalf(engine.partials)) return kAmpZeroOverhead + kZeroHalfPartials * positions;
  const bool dual_float = !isHalf(engine.inputs) && engine.conv_units == kDualAmpUnits;
  return kAmpZeroOverhead + (dual_float ? kZeroFloatInputsDual : kZeroFloatPartials) * positions;
}

std::uint64_t workerCycles(const AmpEngine& engine, std::uint64_t positions, Zeroing zeroing) {
  const std::uint64_t clear = zeroing == Zeroing::Yes ? zeroingCycles(engine, positions) : 0;
  return workerCost(engine, zeroing).cyclesOf(positions) + clear;
}

/// The workers' part of one pass. An even split leaves only two kinds of workers.
std::uint64_t innerCycles(const Architecture& machine, const Amp1x1Shape& shape, Zeroing zeroing,
                          IdleWorkers idle) {
  const std::uint64_t workers = machine.workers_per_tile;
  const std::uint64_t retained = halfCommon(shape.engine) ? kRetainedByWorker : 0;
  const auto worker = [&](std::uint64_t positions) {
    if (positions == 0 && idle == IdleWorkers::Free) return std::uint64_t{0};
    return workerCycles(shape.engine, positions, zeroing) - retained;
  };
  const std::uint64_t one = worker(shape.field / workers);
  const std::uint64_t other = worker(ceilDiv(shape.field, workers));
  return std::max(workers * std::max(one, other),
                  workers * std::min(one, other) + kAmpUnevenWorkersOverhead);
}

Cycles vertexCycles(const Architecture& machine, const Amp1x1Shape& shape, IdleWorkers idle) {
  const AmpEngine& engine = shape.engine;
  const bool retains = halfCommon(engine);
  const std::uint64_t common = retains || !isHalf(engine.partials) ? 1 : 0;
  const std::uint64_t retained = retains ? kRetainedByWorker : 0;
  const std::uint64_t retained_each = retains ? kRetainedEachCall : 0;
  const auto passes = ceilDiv<std::uint64_t>(shape.out_chans_per_group, engine.conv_units);
  const std::uint64_t load = ampWeightLoadCycles(machine, engine).value();

  const std::uint64_t accumulate =
      passes * (kAmpPassOverhead + load + innerCycles(machine, shape, Zeroing::No, idle));
  const std::uint64_t clear =
      passes * (kZeroingPassOverhead + load + innerCycles(machine, shape, Zeroing::Yes, idle));
  const std::uint64_t later_in_groups =
      (shape.in_groups - 1) *
      (kAmpInGroupOverhead - common + shape.out_groups * (kAmpOutGroupOverhead + accumulate));
  const std::uint64_t first_in_group =
      kFirstInGroupOverhead + shape.out_groups * (kAmpOutGroupOverhead - common + clear);
  const std::uint64_t calls = shape.in_groups * shape.conv_groups;
  return Cycles(
      kAmpVertexOverhead + machine.workers_per_tile * (retained + retained_each * (calls - 1)) +
      shape.conv_groups * (kAmpConvGroupOverhead + common + later_in_groups + first_in_group));
}

}  // namespace

std::uint32_t ampUnits(const Architecture& machine, ElementType inputs, ElementType partials) {
  if (!isHalf(inputs)) return machine.conv_units.float_float;
  return isHalf(partials) ? machine.conv_units.half_half : machine.conv_units.half_float;
}

std::uint32_t ampWeightsPerUnit(const Architecture& machine, ElementType inputs) {
  return machine.conv_pipeline_depth * machine.vectorWidth(inputs);
}

Cycles ampWeightLoadCycles(const Architecture& machine, const AmpEngine& engine) {
  const Bytes weights = sizeOf(engine.inputs) * ampWeightsPerUnit(machine, engine.inputs);
  const std::uint64_t width = engine.weight_load == WeightLoad::Bits128 ? 2 : 1;
  return cyclesFor(weights * engine.conv_units,
                   BytesPerCycle(machine.weight_load_rate.value() * width));
}

Cycles amp1x1Cycles(const Architecture& machine, const Amp1x1Shape& shape) {
  return vertexCycles(machine, shape, IdleWorkers::RunEmpty);
}

Cycles amp1x1PlanCycles(const Architecture& machine, const Amp1x1Shape& shape) {
  return vertexCycles(machine, shape, IdleWorkers::Free);
}

}  // namespace ipusim::models
