// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/reductions/pooling.h"

#include <algorithm>
#include <numeric>

#include "models/ipu/cost/workers.h"

// The literals are those of the formulas in pooling.h.

namespace ipusim::models {
namespace {

bool isGradient(const PoolingShape& shape) {
  return shape.vertex == PoolingVertex::MaxGradient;
}

std::uint64_t pieceSlots(PoolingVertex vertex, PoolingItem n) {
  if (vertex == PoolingVertex::MaxGradient) return 10 + 5 * n;
  return (vertex == PoolingVertex::Sum ? 8 : 7) + 3 * n;
}

std::uint64_t itemSlots(const PoolingShape& shape, PoolingItem n) {
  const std::uint64_t groups = shape.channel_groups;
  const std::uint64_t between = isGradient(shape) ? 6 : 4;
  return 23 + groups * (2 + shape.channel_vectors * pieceSlots(shape.vertex, n)) +
         (groups - 1) * between;
}

std::uint64_t rowSlots(const PoolingShape& shape, const std::vector<PoolingRow>& rows,
                       const PoolingUnpack& unpack) {
  if (rows.empty()) return 1;
  std::uint64_t slots = 9 + (shape.vertex == PoolingVertex::Sum ? 2 : 1) + 2 * unpack.work_list;
  if (isGradient(shape)) slots += 6 + unpack.out + unpack.in;
  for (const PoolingRow& row : rows) {
    slots += 15;
    for (const PoolingItem item : row) slots += itemSlots(shape, item);
  }
  return slots;
}

/// Slots that clear the outputs of a worker, per group of channels.
std::uint64_t clearSlots(const Architecture& machine, const PoolingShape& shape,
                         std::uint64_t worker) {
  const std::uint64_t workers = machine.workers_per_tile;
  const std::uint64_t share = shape.outputs * shape.channel_vectors / workers;
  // Where the shares of all workers are more than the outputs, the published difference wraps.
  const bool wraps = shape.outputs < workers * share;
  return 4 + share + (wraps || worker < shape.outputs - workers * share ? 1 : 0);
}

std::vector<PoolingRow> rowsOf(const PoolingPlanShape& shape, std::uint64_t begin,
                               std::uint64_t end) {
  const std::uint64_t length = shape.field.back();
  std::vector<PoolingRow> rows;
  while (begin < end) {
    const std::uint64_t row_end = std::min(end, (begin / length + 1) * length);
    rows.emplace_back(shape.kernel_positions, ceilDiv(row_end - begin, shape.stride) - 1);
    begin = row_end;
  }
  return rows;
}

}  // namespace

Cycles poolingCycles(const Architecture& machine, const PoolingShape& shape,
                     const PoolingUnpack& unpack) {
  std::uint64_t most = 0;
  for (std::uint64_t w = 0; w < shape.work.size(); ++w) {
    const std::uint64_t slots = 23 + unpack.out + unpack.start +
                                clearSlots(machine, shape, w) * shape.channel_groups +
                                rowSlots(shape, shape.work[w], unpack);
    most = std::max(most, slots);
  }
  return Cycles(13) + tileCyclesOf(machine, most);
}

Cycles plannedPoolingCycles(const Architecture& machine, const PoolingPlanShape& shape) {
  const std::uint64_t positions =
      std::accumulate(shape.field.begin(), shape.field.end(), shape.batch, std::multiplies<>());
  PoolingShape vertex{shape.vertex,
                      positions / shape.channel_vectors,
                      shape.channel_vectors,
                      shape.channel_groups,
                      {}};
  const std::uint64_t workers = machine.workers_per_tile;
  for (std::uint64_t w = 0; w < workers; ++w) {
    vertex.work.push_back(rowsOf(shape, w * positions / workers, (w + 1) * positions / workers));
  }
  return poolingCycles(machine, vertex, {2, 2, 2, 2});
}

}  // namespace ipusim::models
