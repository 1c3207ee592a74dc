// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/uncalled/histogram.h"

#include "models/ipu/cost/elementwise/element_kinds.h"
#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in histogram.h.

namespace ipusim::models {
namespace {

/// The value a of histogram.h.
std::uint64_t magnitudeSlots(const HistogramKind& kind) {
  return kind.of == HistogramOf::Magnitudes ? 1 : 0;
}

/// How many parts of a vector of halves n elements leave.
std::uint64_t restParts(std::uint64_t n) {
  return n % 2 + n / 2 % 2;
}

/// The function d of histogram.h.
std::uint64_t passSlots(const HistogramKind& kind, std::uint64_t n) {
  const std::uint64_t a = magnitudeSlots(kind);
  if (isHalf(kind.type)) return (3 + a) * (n / 4 + restParts(n));
  return (3 + a) * (n / 2) + (2 + a) * (n % 2);
}

}  // namespace

Cycles histogramCycles(const Architecture& machine, const HistogramKind& kind, HistogramSplit split,
                       std::uint64_t elements) {
  const std::uint64_t limits = kind.counts - 1;
  if (split == HistogramSplit::ByLimits) {
    const std::uint64_t pass = (isHalf(kind.type) ? 17 : 11) + passSlots(kind, elements);
    return tileCyclesOf(machine, 30 + pass * largestShare(machine, limits) + 2 * limits);
  }
  const std::uint64_t width = machine.vectorWidth(kind.type);
  const std::uint64_t rest = isHalf(kind.type) ? restParts(elements) : elements % 2;
  const std::uint64_t pass =
      (isHalf(kind.type) ? 19 : 17) +
      (3 + magnitudeSlots(kind)) * (rest + largestShare(machine, elements / width));
  return tileCyclesOf(machine, (isHalf(kind.type) ? 38 : 37) + pass * limits);
}

Cycles histogram2dCycles(const HistogramKind& kind, const std::vector<std::uint64_t>& regions) {
  const std::uint64_t limits = kind.counts - 1;
  std::uint64_t pass = isHalf(kind.type) ? 22 : 15;
  for (const std::uint64_t n : regions) pass += passSlots(kind, n);
  return Cycles(7 + (isHalf(kind.type) ? 5 : 3) + limits * pass + 3 * regions.size() + 10 +
                2 * limits);
}

}  // namespace ipusim::models
