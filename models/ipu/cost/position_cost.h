// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim::models {

/// Worker cycles of the matrix engine's loop by the number of field positions, as published. Up to
/// three positions do not fill the engine's pipeline.
struct PositionCost {
  std::uint64_t none;
  std::uint64_t one;
  std::uint64_t two;
  std::uint64_t three;
  std::uint64_t each_more;

  [[nodiscard]] constexpr std::uint64_t cyclesOf(std::uint64_t positions) const {
    switch (positions) {
      case 0:
        return none;
      case 1:
        return one;
      case 2:
        return two;
      default:
        return three + each_more * (positions - 3);
    }
  }
};

}  // namespace ipusim::models
