// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim::models {

/// Where an elementwise vertex leaves its result.
enum class OpPlacement : std::uint8_t {
  OutOfPlace,
  InPlace,  ///< in place of its first operand
};

}  // namespace ipusim::models
