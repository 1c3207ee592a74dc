// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/vertex_type.h"

namespace ipusim::workloads {

/// Draws the elements that a dropout keeps. The machine's own generator is not published, so that a
/// hash of a seed and of the element's number stands for it.
struct DropoutRule {
  double rate;  ///< probability that an element is dropped
  std::uint64_t seed;

  /// 0, or 1 / (1 - rate) for an element that is kept.
  [[nodiscard]] double factor(std::uint64_t element) const;
};

struct DropoutShape {
  ElementType type;  ///< half or float
  std::uint64_t elements;
  DropoutRule rule;
};
/// poprand::Dropout: out = in times the factor of each element. A tile has one vertex.
///
/// Fields, one edge in each: 0 "in"; 1 "first", unsigned int, the number of the first element; 2
/// "out".
VertexType dropoutVertex(const DropoutShape& shape);

}  // namespace ipusim::workloads
