// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/vertex_type.h"
#include "models/ipu/cost/reductions/pooling.h"

namespace ipusim::workloads {

/// From which side of a window a vertex computes.
enum class PoolingDirection : std::uint8_t {
  Forward,   ///< from the elements of a field to the positions of the window
  Backward,  ///< from positions to elements
};

/// Blocks of a field and of the positions of a window over it, with one entry per dimension in each
/// vector. Element k of the window at position p is the element p stride + k dilation - offset of
/// the field, where indices begin with the blocks.
struct WindowBlock {
  PoolingDirection direction;
  std::vector<std::uint64_t> field;
  std::vector<std::uint64_t> positions;
  std::vector<std::uint64_t> window;
  std::vector<std::uint64_t> stride;
  std::vector<std::uint64_t> dilation;
  std::vector<std::uint64_t> offset;

  /// The block that the vertex computes.
  [[nodiscard]] const std::vector<std::uint64_t>& results() const {
    return direction == PoolingDirection::Forward ? positions : field;
  }
  [[nodiscard]] const std::vector<std::uint64_t>& operands() const {
    return direction == PoolingDirection::Forward ? field : positions;
  }
};

struct PoolingVertexShape {
  models::PoolingVertex vertex;  ///< Max, Sum or MaxGradient
  ElementType type;              ///< half or float
  std::uint64_t planes;          ///< groups of channels of all samples
  std::uint64_t channels;        ///< of a plane
  WindowBlock block;
  float scale = 1;  ///< of Sum
};
/// popnn::MaxPooling, SumPooling and MaxPoolingGrad. Each plane has its elements by index, with the
/// channels innermost. MaxPooling goes forward. SumPooling sums and scales in both directions.
/// MaxPoolingGrad goes backward: the gradient of a position goes to every element that equals its
/// maximum.
///
/// Fields, one edge in each: 0 "out", 1 "in"; of MaxPoolingGrad 0 "inGrad", 1 "in" the elements of
/// the field, 2 "out" the maxima, 3 "outGrad".
VertexType poolingVertex(const PoolingVertexShape& shape);

}  // namespace ipusim::workloads
