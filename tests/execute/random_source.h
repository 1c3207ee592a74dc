// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace ipusim::executor {

/// Random choices that depend on the seed alone, on every computer.
class RandomSource {
 public:
  explicit RandomSource(std::uint64_t seed) : generator_(seed) {}

  /// A number from `low` to `high`, both included.
  std::uint64_t between(std::uint64_t low, std::uint64_t high) {
    return low + generator_() % (high - low + 1);
  }
  std::size_t below(std::size_t end) { return between(0, end - 1); }

  /// The numbers below `count` in random order.
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

}  // namespace ipusim::executor
