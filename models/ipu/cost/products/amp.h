// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// Width of a load of AMP weights. 128-bit loads need weights in interleaved memory.
enum class WeightLoad : std::uint8_t { Bits64, Bits128 };

/// The matrix engine (AMP) as a vertex uses it.
struct AmpEngine {
  ElementType inputs;    ///< half or float
  ElementType partials;  ///< half or float; float inputs need float partials
  std::uint32_t conv_units;
  WeightLoad weight_load = WeightLoad::Bits64;
};

/// The number of engines for which the dual AMP has code of its own.
/// Source: graphcore/poplibs lib/poplin/codelets/ConvPartial1x1Out.cpp (MIT).
constexpr std::uint32_t kDualAmpUnits = 16;

/// The number of weights that an AMP engine holds: pipeline depth x elements loaded per cycle (8
/// for float, 16 for half). A group of a 1x1 vertex has as many in channels.
std::uint32_t ampWeightsPerUnit(const Architecture& machine, ElementType inputs);

/// The number of engines that the machine has for these types.
std::uint32_t ampUnits(const Architecture& machine, ElementType inputs, ElementType partials);

/// Cycles to load the weights of all engines once.
Cycles ampWeightLoadCycles(const Architecture& machine, const AmpEngine& engine);

/// One ConvPartial1x1Out vertex: the tile's share of a matrix product.
struct Amp1x1Shape {
  AmpEngine engine;
  std::uint64_t field;        ///< positions (rows of the product), split evenly over the workers
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
/// z is 1 for the first in group, which clears the partials, and 0 for all others. There are P =
/// ceil(out_chans_per_group / conv units) passes; each loads W cycles of weights. c, S and S2 are
/// what the code keeps in registers between calls. A worker costs the engine's 4 (half) or 8
/// (float) turns per position, besides a start-up.
/// Source: graphcore/poplibs lib/poplin/PerformanceEstimation.hpp (MIT).
/// Calibrated: no.
/// Valid for: 1x1 kernels, one row of field positions; at least one in group.
Cycles amp1x1Cycles(const Architecture& machine, const Amp1x1Shape& shape);

/// Cycles of the vertex in the view of poplin's planner: a worker with nothing to do takes no time.
Cycles amp1x1PlanCycles(const Architecture& machine, const Amp1x1Shape& shape);

}  // namespace ipusim::models
