// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// Width of a load of AMP weights. 128-bit loads need weights in interleaved memory.
enum class WeightLoad : std::uint8_t { Bits64, Bits128 };

/// What a vertex on the matrix engine (AMP) multiplies with.
struct AmpEngine {
  ElementType inputs;    ///< half or float
  ElementType partials;  ///< half or float; float where the inputs are
  std::uint32_t conv_units;
  WeightLoad weight_load = WeightLoad::Bits64;
};

/// Engines of the dual AMP that the code for 16 engines wants.
/// Source: graphcore/poplibs lib/poplin/codelets/ConvPartial1x1Out.cpp (MIT).
constexpr std::uint32_t kDualAmpUnits = 16;

/// Weights an AMP engine holds: pipeline depth x elements loaded a cycle (float 8, half 16). It is
/// also how many in channels a group of a 1x1 vertex has.
std::uint32_t ampWeightsPerUnit(const Architecture& machine, ElementType inputs);

/// All engines the machine has for these types.
std::uint32_t ampUnits(const Architecture& machine, ElementType inputs, ElementType partials);

/// Cycles to load the weights of all engines once.
Cycles ampWeightLoadCycles(const Architecture& machine, const AmpEngine& engine);

/// One ConvPartial1x1Out vertex: the tile's share of a matrix product.
struct Amp1x1Shape {
  AmpEngine engine;
  std::uint64_t field;        ///< positions (rows of the product), split evenly over workers
  std::uint64_t conv_groups;  ///< G
  std::uint64_t in_groups;    ///< I, groups of ampWeightsPerUnit in channels
  std::uint64_t out_groups;   ///< O
  std::uint32_t out_chans_per_group;  ///< channels of one out group
};

/// Cycles of a ConvPartial1x1Out vertex, all workers and the supervisor.
///
///   inner(z) = max(6 max_w, 6 min_w + 14)     w: worker cycles for its field positions
///   total = 50 + 6 (S + S2 (I G - 1))
///         + G {12 + c + (I - 1) [16 - c + O (19 + P (6 + W + inner(0)))]
///              + 11 + O [19 - c + P (7 + W + inner(1))]}
///
/// z: the first in group clears the partials. P = ceil(out_chans_per_group / conv units) passes,
/// each loads W cycles of weights. c, S, S2: what the code keeps in registers between calls. A
/// worker costs the engine's 4 (half) or 8 (float) turns a position beside a start-up.
/// Source: graphcore/poplibs lib/poplin/PerformanceEstimation.hpp (MIT). Calibrated: no.
/// Valid for: 1x1 kernels, one row of field positions; at least one in group.
Cycles amp1x1Cycles(const Architecture& machine, const Amp1x1Shape& shape);

/// The same as poplin's planner sees it: a worker with nothing to do takes no time.
Cycles amp1x1PlanCycles(const Architecture& machine, const Amp1x1Shape& shape);

}  // namespace ipusim::models
