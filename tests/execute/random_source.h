// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace ipusim::checker {

/// Random choices that are the same everywhere for a seed.
class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : generator_(seed) {}

  /// From `low` to `high`, both included.
  std::uint64_t between(std::uint64_t low, std::uint64_t high) {
    return low + generator_() % (high - low + 1);
  }
  std::size_t below(std::size_t end) { return between(0, end - 1); }

  /// Of `count` things, in any order.
  std::vector<std::size_t> permutation(std::size_t count) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < count; ++i) {
      order.insert(order.begin() + static_cast<std::ptrdiff_t>(below(i + 1)), i);
    }
    return order;
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace ipusim::checker
