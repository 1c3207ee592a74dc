// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/vertex_type.h"

namespace ipusim::workloads {

/// Draws numbers from 0 to below 1. A hash of a seed and of the element's number stands for the
/// machine's own generator, which is not published.
struct UniformRule {
  std::uint64_t seed;

  /// A multiple of 2^-24, which is a float without loss.
  [[nodiscard]] double number(std::uint64_t element) const;
};

struct UniformShape {
  std::uint64_t elements;
  UniformRule rule;
};
/// poprand::Uniform of floats from 0 to below 1. A tile has one vertex.
///
/// Fields, one edge in each: 0 "first", unsigned int, the number of the first element; 1 "out".
VertexType uniformVertex(const UniformShape& shape);

}  // namespace ipusim::workloads
