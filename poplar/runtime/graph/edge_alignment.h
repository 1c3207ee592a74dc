// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "poplar/runtime/saved/executable_data.h"

namespace poplar::detail {

/// Edges of codelets by what their fields say of alignment.
struct EdgeAlignment {
  std::uint64_t stated = 0;  ///< edges whose MinAlign is above the size of an element
  std::uint64_t missed = 0;  ///< those of them whose first element does not lie so
};

/// Counts the edges of the steps of a compiled program: rows of a field each count. The vendor's
/// compiler gives such an edge another place, or copies it. Here it stays where its variable is,
/// and its codelet computes the same numbers.
EdgeAlignment alignmentOf(const ExecutableData& data);

}  // namespace poplar::detail
