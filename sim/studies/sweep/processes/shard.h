// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim::sweep {

/// Part `index` of `count` equal parts, counted from 0.
struct Shard {
  std::uint64_t index = 0;
  std::uint64_t count = 1;
};

}  // namespace ipusim::sweep
