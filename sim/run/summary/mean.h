// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/units.h"

namespace ipusim::run {

/// The mean of `count` > 0 numbers of cycles, whose sum need not fit 64 bits.
class Mean {
 public:
  explicit Mean(std::uint64_t count) : count_(count) {}

  void add(Cycles cycles) {
    whole_ += cycles.value() / count_;
    rest_ += cycles.value() % count_;
  }
  [[nodiscard]] Cycles roundedDown() const { return Cycles(whole_ + rest_ / count_); }
  [[nodiscard]] double exact() const {
    return static_cast<double>(whole_) + static_cast<double>(rest_) / static_cast<double>(count_);
  }

 private:
  std::uint64_t count_;
  std::uint64_t whole_ = 0;
  std::uint64_t rest_ = 0;
};

}  // namespace ipusim::run
