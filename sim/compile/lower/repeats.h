// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/compile/schedule/bits.h"

namespace ipusim::compiler {

/// Tells hashes that come once from those that may come more often. A table has a few bits per
/// hash, so a hash may be taken for another one.
class Repeats {
 public:
  explicit Repeats(std::uint64_t hashes = 0) {
    constexpr std::uint64_t kBitsPerHash = 8;
    std::uint64_t bits = kWordBits;
    while (bits < kBitsPerHash * hashes) bits *= 2;
    mask_ = bits - 1;
    met_.resize(bits / kWordBits);
    repeated_.resize(bits / kWordBits);
  }

  void add(std::uint64_t hash) {
    const std::uint64_t bit = std::uint64_t{1} << (hash % kWordBits);
    std::uint64_t& met = met_[wordOf(hash)];
    if ((met & bit) != 0) {
      repeated_[wordOf(hash)] |= bit;
      any_ = true;
    }
    met |= bit;
  }
  /// Whether any hash may come more often than once.
  [[nodiscard]] bool any() const { return any_; }
  [[nodiscard]] bool mayRepeat(std::uint64_t hash) const {
    return (repeated_[wordOf(hash)] >> (hash % kWordBits) & 1U) != 0;
  }

 private:
  [[nodiscard]] std::size_t wordOf(std::uint64_t hash) const { return (hash & mask_) / kWordBits; }

  std::uint64_t mask_ = 0;
  bool any_ = false;
  std::vector<std::uint64_t> met_;
  std::vector<std::uint64_t> repeated_;
};

}  // namespace ipusim::compiler
