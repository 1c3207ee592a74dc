// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim::gpu {

constexpr double kFlopsPerMultiplyAdd = 2;

constexpr double real(std::uint64_t value) {
  return static_cast<double>(value);
}

}  // namespace ipusim::gpu
