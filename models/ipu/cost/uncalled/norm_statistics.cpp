// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/uncalled/norm_statistics.h"

#include "models/ipu/cost/regions.h"
#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in norm_statistics.h.

namespace ipusim::models {
namespace {

std::uint64_t loopSlots(const VarianceKind& kind, std::uint64_t n) {
  const bool is_float = kind.type == ElementType::Float;
  if (kind.op == VarianceOp::InverseStdDevToVariance) {
    return (is_float ? 11 : 10) * ceilDiv(n, std::uint64_t{2});
  }
  return is_float ? 12 * ceilDiv(n, std::uint64_t{2}) : 24 * ceilDiv(n, std::uint64_t{4});
}

}  // namespace

Cycles varianceCycles(const Architecture& machine, const VarianceKind& kind,
                      std::uint64_t elements) {
  const std::uint64_t share = largestShare(machine, elements);
  return Cycles(11) + tileCyclesOf(machine, 20 + loopSlots(kind, share));
}

Cycles variance2dCycles(const VarianceKind& kind, const std::vector<std::uint64_t>& regions) {
  return regionCycles(20, regions, [&](std::uint64_t n) { return 28 + loopSlots(kind, n); });
}

Cycles relationalDualOutputCycles(const Architecture& machine, ElementType out,
                                  std::uint64_t elements) {
  const std::uint64_t share = largestShare(machine, elements);
  const std::uint64_t slots =
      out == ElementType::Float ? 35 + 8 * share : 56 + 23 * ceilDiv(share, std::uint64_t{2});
  return Cycles(11) + tileCyclesOf(machine, slots);
}

}  // namespace ipusim::models
