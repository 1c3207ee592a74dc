// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim::workloads {

/// A sum of floats in parts, and of parts in parts, as lanes, workers and tiles each add up some of
/// the terms. One long sum of floats would be off by far more than a tile's.
class TileSum {
 public:
  explicit TileSum(double term = 0) : lane_(static_cast<float>(term)) {}

  TileSum& operator+=(const TileSum& term) {
    lane_ += term.lane_;
    if (++terms_ % kTerms != 0) return *this;
    worker_ += lane_;
    lane_ = 0;
    if (terms_ % (kTerms * kTerms) != 0) return *this;
    tile_ += worker_;
    worker_ = 0;
    return *this;
  }

  explicit operator double() const { return static_cast<double>(tile_ + (worker_ + lane_)); }

 private:
  /// Terms of a part: with three levels, that of a sum of a quarter of a million terms.
  static constexpr std::uint32_t kTerms = 64;

  float lane_;
  float worker_ = 0;
  float tile_ = 0;
  std::uint32_t terms_ = 0;
};

}  // namespace ipusim::workloads
