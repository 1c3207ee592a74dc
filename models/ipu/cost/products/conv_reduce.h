// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// How a ReduceAdd vertex finds its partials.
enum class ReduceInputs : std::uint8_t {
  Several,  ///< one pointer per partial
  Single,   ///< one array of all partials but the one that is on the tile already
};

/// Where the array of a Single vertex lies.
enum class PartialsMemory : std::uint8_t {
  Any,
  Interleaved,  ///< two loads at a time
};

/// One poplin ReduceAdd vertex.
struct ReduceAddShape {
  ElementType partials;
  ElementType output;
  std::uint64_t outputs;
  std::uint64_t count;  ///< partials per output; for Single without the one on the tile
  ReduceInputs inputs = ReduceInputs::Several;
  PartialsMemory memory = PartialsMemory::Any;
};

/// Cycles of a ReduceAdd vertex, all workers. A is the number of accumulators (4 float, 8 half), W
/// the number of workers:
///
///   Several: W (32 + [2 count + (13 float | 11 half) for a ragged last round] + (3 count + x) L)
///            L: rounds of a worker, each A outputs or a power of two of the rest
///   Single:  33 + W (20 + (loads count + y) ceil(floor(outputs / A) / W)), loads = A / load width
///
/// x and y are the start-up of a round, by types.
/// Source: graphcore/poplibs lib/poplin/PerformanceEstimation.hpp (MIT).
/// Calibrated: no.
/// Valid for: half and float. As published, Single drops outputs beyond a multiple of A.
Cycles reduceAddCycles(const Architecture& machine, const ReduceAddShape& shape);

/// The vertex that the vendor's library picks to sum `depth` partials on a tile, one of which is
/// there already. It picks Single when the outputs fill the accumulators, and either what the
/// exchange brings, rounded up to memory elements, stays below 1/16 of the tile's memory or
/// `memory` is interleaved.
/// Source: graphcore/poplibs lib/poplin/ConvReducePlan.hpp (MIT).
ReduceAddShape reduceAddFor(const Architecture& machine, const ReduceAddShape& several);

/// One stage of a reduction over tiles: each tile adds `fan_in` partials of `outputs` results.
struct ReductionStage {
  std::uint64_t fan_in;
  std::uint64_t outputs;
};

constexpr std::uint32_t kMaxReductionStages = 3;

/// The stages of a reduction, first to last. There are none when nothing is reduced.
struct ReductionStages {
  std::array<ReductionStage, kMaxReductionStages> stage{};
  std::uint32_t count = 0;
};

/// The number of stages of a reduction over `depth` tiles: one below 16, two below 125, otherwise
/// three.
std::uint32_t reductionStageCount(std::uint64_t depth);

/// The depths that a reduction over `depth` tiles passes through: `depth`, then what each stage but
/// the last leaves. They are near depth^((s-1)/s), chosen such that the fewest messages are needed.
/// Source: graphcore/poplibs lib/poplin/ConvReducePlan.cpp (MIT).
struct ReductionDepths {
  std::array<std::uint64_t, kMaxReductionStages> depth{};
  std::uint32_t count = 0;
};
ReductionDepths reductionDepths(std::uint64_t depth);

/// The stages that bring `partials` down through `depths`. `partials` counts those of all tiles of
/// a reduction. The outputs of each stage are spread over the tiles.
ReductionStages reductionStages(std::uint64_t partials, const ReductionDepths& depths);

/// A reduction of partial results over tiles.
struct ConvReduction {
  ElementType partials;
  ElementType output;     ///< the last stage casts to this type
  std::uint64_t outputs;  ///< outputs of one tile when all is summed
  std::uint64_t depth;    ///< number of tiles that hold a partial of each result
  PartialsMemory memory = PartialsMemory::Any;
};

/// Cycles of all stages. A depth of 1 costs a cast when the types differ, and nothing otherwise.
Cycles convReductionCycles(const Architecture& machine, const ConvReduction& reduction,
                           const ReductionDepths& depths);

/// The planner's estimate of a cast of `elements` on a tile, all workers:
///
///   W (26 + max(ceil(e / width from), ceil(e / width to))), e = ceil(elements / W)
///
/// Source: graphcore/poplibs lib/poplin/ConvReducePlan.hpp, lib/popops/PerformanceEstimation.cpp
/// (MIT).
/// Valid for: half and float.
Cycles castPlanCycles(const Architecture& machine, ElementType from, ElementType to,
                      std::uint64_t elements);

}  // namespace ipusim::models
