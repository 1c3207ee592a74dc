// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/reduce/reduction_stages.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "models/ipu/cost/exchange/exchange.h"
#include "models/ipu/cost/reductions/reduce.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kMaxStages = 3;

/// Cycles of an exchange phase in which the busiest tile receives `messages` of `bytes` each.
std::uint64_t exchangeCycles(const Architecture& machine, std::uint64_t messages, Bytes bytes) {
  const Bytes each = models::receivedBytes(machine.fabric, bytes, 1);
  return (models::portCycles(machine, each * messages) + models::exchangePhaseOverhead(machine))
      .value();
}

/// Cycles of a stage in which a tile sums `partials` partials for each of `outputs`.
std::uint64_t stageCycles(const Architecture& machine, const ReductionSize& size,
                          std::uint64_t partials, std::uint64_t outputs) {
  const std::uint64_t vector = machine.vectorWidth(size.type);
  const std::uint64_t each =
      ceilDiv(ceilDiv(outputs, vector), std::uint64_t{machine.workers_per_tile}) * vector;
  const Cycles slots =
      models::stridedReduceCycles(machine, {{size.op, size.type, size.type}, partials, each, each});
  const Cycles worker = slots + machine.overheads.vertex_launch;
  return exchangeCycles(machine, partials, sizeOf(size.type) * outputs) +
         (worker * machine.workers_per_tile + machine.overheads.compute_set_entry).value();
}

std::uint64_t lastCycles(const Architecture& machine, const ReductionSize& size,
                         std::uint64_t partials, LastStage last) {
  if (last == LastStage::AtResult) {
    return stageCycles(machine, size, partials, size.result_columns);
  }
  const std::uint64_t outputs = ceilDiv(size.columns, std::uint64_t{machine.tiles});
  return stageCycles(machine, size, partials, outputs) +
         exchangeCycles(machine, ceilDiv(size.result_columns, outputs),
                        sizeOf(size.type) * outputs);
}

/// The groups of `stages` stages, each of which leaves an equal share of its partials.
std::vector<std::uint64_t> evenGroups(std::uint64_t partials, std::uint64_t stages) {
  std::vector<std::uint64_t> groups;
  for (std::uint64_t left = stages - 1; left > 0; --left) {
    const double power = static_cast<double>(left) / static_cast<double>(stages);
    groups.push_back(
        static_cast<std::uint64_t>(std::llround(std::pow(static_cast<double>(partials), power))));
  }
  return groups;
}

}  // namespace

ReductionStages planReduction(const Architecture& machine, const ReductionSize& size) {
  std::optional<ReductionStages> best;
  for (std::uint64_t stages = 1; stages <= kMaxStages; ++stages) {
    const std::vector<std::uint64_t> groups = evenGroups(size.partials, stages);
    if (!groups.empty() && groups.back() < 2) break;
    std::uint64_t cycles = 0;
    std::uint64_t partials = size.partials;
    for (const std::uint64_t left : groups) {
      const std::uint64_t outputs = ceilDiv(size.columns * left, std::uint64_t{machine.tiles});
      cycles += stageCycles(machine, size, ceilDiv(partials, left), outputs);
      partials = left;
    }
    for (const LastStage last : {LastStage::AtResult, LastStage::Spread}) {
      const Cycles total(cycles + lastCycles(machine, size, partials, last));
      if (!best || total < best->cycles) best = ReductionStages{groups, last, total};
    }
  }
  return *best;
}

}  // namespace ipusim::workloads
