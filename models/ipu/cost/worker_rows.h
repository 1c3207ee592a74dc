// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <vector>

#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// The work of the workers of a convolution vertex at each kernel position: rows[worker] lists the
/// number of field positions of each of its rows.
using WorkerRows = std::vector<std::vector<std::uint64_t>>;

/// Slots of the workers of a tile at each kernel position.
struct WorkerSlots {
  std::uint64_t slowest;
  std::uint64_t fastest;
};

/// The output positions of a tile as rows along the innermost dimension.
struct PositionRows {
  std::uint64_t rows;
  std::uint64_t length;
};

/// The slowest worker of a tile that shares out whole rows, and the rest in parts of rows.
struct RowShare {
  std::uint64_t whole;  ///< rows
  std::uint64_t parts;  ///< parts of rows
  std::uint64_t split;  ///< number of parts that make a row
};
inline RowShare rowShare(const Architecture& machine, std::uint64_t rows) {
  const std::uint64_t workers = machine.workers_per_tile;
  const std::uint64_t split = workers / std::gcd(workers, rows);
  const std::uint64_t most = ceilDiv(rows * split, workers);
  return {most / split, most % split, split};
}

/// The slots of the pieces [begin, end) of a tile's positions, which are cut at the ends of rows.
template <typename Slots>
std::uint64_t pieceSlots(std::uint64_t begin, std::uint64_t end, std::uint64_t length,
                         const Slots& slots) {
  std::uint64_t sum = 0;
  const std::uint64_t first_end = std::min(end, roundUp(begin, length));
  if (first_end > begin) sum += slots(first_end - begin);
  if (const std::uint64_t whole = (end - first_end) / length; whole > 0)
    sum += whole * slots(length);
  if (const std::uint64_t rest = (end - first_end) % length; rest > 0) sum += slots(rest);
  return sum;
}

/// The slots of the slowest and of the fastest worker, when positions are shared out evenly.
template <typename Slots>
WorkerSlots evenSlots(const Architecture& machine, const PositionRows& rows, const Slots& slots) {
  const std::uint64_t workers = machine.workers_per_tile;
  const std::uint64_t positions = rows.rows * rows.length;
  WorkerSlots result{0, std::numeric_limits<std::uint64_t>::max()};
  for (std::uint64_t worker = 0; worker < workers; ++worker) {
    const std::uint64_t sum = pieceSlots(worker * positions / workers,
                                         (worker + 1) * positions / workers, rows.length, slots);
    result = {std::max(result.slowest, sum), std::min(result.fastest, sum)};
  }
  return result;
}

}  // namespace ipusim::models
