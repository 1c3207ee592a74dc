// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/vertex_type.h"

namespace ipusim::workloads {

/// What a vertex does with two unsigned integers.
enum class ScalarMap : std::uint8_t {
  Add,       ///< the first one becomes the sum
  LessThan,  ///< a third one becomes 1 where the first one is less, and 0 otherwise
};

/// The codelet that popops generates for an expression of single elements, on one worker.
///
/// Fields, one edge of one unsigned int in each: 0 "in1", written by a sum; 1 "in2"; 2 "out", which
/// a sum does not have.
VertexType mapScalarsVertex(ScalarMap map);

}  // namespace ipusim::workloads
