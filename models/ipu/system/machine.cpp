// SPDX-License-Identifier: Apache-2.0
#include "ipusim/machine.h"

#include "ipusim/error.h"

namespace ipusim {
namespace {

/// Cycles in which an AMP engine uses each of its weights once, by type of the inputs.
/// Source: graphcore/poplibs lib/poplin/PerformanceEstimation.hpp (MIT), AMP core loops.
constexpr double kHalfPassCycles = 4;
constexpr double kFloatPassCycles = 8;

}  // namespace

double Machine::peakFlopsPerSecond(ElementType inputs, ElementType partials) const {
  const bool half = inputs == ElementType::Half;
  check(half || (inputs == ElementType::Float && partials == ElementType::Float),
        "AMP engines take half or float, and float partials for float");
  const std::uint32_t half_units =
      partials == ElementType::Half ? conv_units.half_half : conv_units.half_float;
  const std::uint32_t units = half ? half_units : conv_units.float_float;
  const double weights = static_cast<double>(conv_pipeline_depth) * vectorWidth(inputs);
  constexpr double kFlopsPerMultiplyAdd = 2;
  const double per_cycle = units * weights / (half ? kHalfPassCycles : kFloatPassCycles);
  return kFlopsPerMultiplyAdd * per_cycle * tiles * clock_hz;
}

}  // namespace ipusim
