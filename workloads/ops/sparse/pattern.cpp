// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/sparse/pattern.h"

#include <limits>
#include <random>

#include "ipusim/error.h"

namespace ipusim::workloads {

namespace {

/// A whole number in [0, end), all equally likely. Numbers past the last multiple of `end` are
/// drawn again. The distributions of the standard library may differ between platforms.
std::uint64_t drawBelow(std::uint64_t end, std::mt19937_64& generator) {
  const std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  const std::uint64_t last = most - most % end;
  std::uint64_t number = generator();
  while (number >= last) number = generator();
  return number % end;
}

/// Marks `count` of `places` by R. Floyd's sampling, with one draw per mark.
std::vector<bool> drawMarks(std::uint64_t places, std::uint64_t count, std::uint64_t seed) {
  std::mt19937_64 generator(seed);
  std::vector<bool> marked(places, false);
  for (std::uint64_t last = places - count; last < places; ++last) {
    const std::uint64_t drawn = drawBelow(last + 1, generator);
    marked[marked[drawn] ? last : drawn] = true;
  }
  return marked;
}

}  // namespace

SparsePattern randomPattern(std::uint64_t rows, std::uint64_t columns, std::uint64_t block,
                            std::uint64_t count, std::uint64_t seed) {
  SparsePattern pattern{rows, columns, block, {}};
  const std::uint64_t places = pattern.blockRows() * pattern.blockColumns();
  check(count <= places && places <= kMaxPatternPlaces, "a pattern of more blocks than there are");
  const std::vector<bool> marked = drawMarks(places, count, seed);
  pattern.blocks.reserve(count);
  for (std::uint64_t place = 0; place < places; ++place) {
    if (!marked[place]) continue;
    pattern.blocks.push_back({static_cast<std::uint32_t>(place / pattern.blockColumns()),
                              static_cast<std::uint32_t>(place % pattern.blockColumns())});
  }
  return pattern;
}

}  // namespace ipusim::workloads
