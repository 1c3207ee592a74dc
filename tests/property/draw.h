// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <random>
#include <vector>

namespace ipusim::run {

/// Draws the parts of a small input. The bits of the generator are the same everywhere.
class Draw {
 public:
  explicit Draw(std::uint64_t seed) : generator_(seed) {}

  std::uint64_t below(std::uint64_t bound) { return generator_() % bound; }
  /// True once in `times`.
  bool once(std::uint64_t times) { return below(times) == 0; }
  template <typename Value>
  const Value& of(const std::vector<Value>& values) {
    return values[below(values.size())];
  }

 private:
  std::mt19937_64 generator_;
};

}  // namespace ipusim::run
