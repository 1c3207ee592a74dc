// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/vertex_type.h"

// The numbers of a tile's share of a convolution with a kernel.

namespace ipusim::workloads {

/// One field dimension on a tile. Output o and kernel element k meet at the position
///
///   out_step o + kernel_step k + offset
///
/// of the input, which has `dilation` positions per element: they meet zero in between, and
/// outside.
struct ConvWindow {
  std::uint64_t outputs = 1;
  std::uint64_t kernel = 1;
  std::uint64_t inputs = 1;
  std::uint64_t first_computed =
      0;  ///< outputs before the first one, and from the end on, are zero
  std::uint64_t end_computed = 1;
  std::int64_t out_step = 1;
  std::int64_t kernel_step = 1;
  std::int64_t offset = 0;
  std::uint64_t dilation = 1;
};

/// Sizes of a vertex. Dimensions are listed outermost first.
struct ConvWindows {
  std::uint64_t conv_groups;
  std::uint64_t in_groups;
  std::uint64_t out_groups;
  std::uint64_t grouped = 1;  ///< conv groups side by side in one
  std::uint64_t in_chans;
  std::uint64_t out_chans;
  std::uint64_t batch;
  std::vector<ConvWindow> dims;

  [[nodiscard]] std::uint64_t inputs() const;   ///< positions, over all dimensions and the batch
  [[nodiscard]] std::uint64_t outputs() const;  ///< positions, over all dimensions and the batch
  [[nodiscard]] std::uint64_t kernel() const;   ///< positions, over all dimensions
};

/// The fields of such a vertex, with G conv groups of c, I in groups of ic channels, O out groups
/// of pc channels:
///   0 "in"       G * I edges      [g][i] -> [batch][positions][c][ic]
///   1 "weights"  G * O * I edges  [g][o][i] -> [kernel positions][c][pc][ic]
///   2 "out"      G * O edges      [g][o] -> [batch][positions][c][pc]
std::vector<Field> windowFields(const ConvWindows& windows, ElementType inputs,
                                ElementType partials);

/// The work of a vertex: a multiply-add for each input that an output meets counts as two.
Flops windowFlops(const ConvWindows& windows);

/// Computes the field 2 from 0 and 1. A sum begins at 0, takes in groups, kernel positions and
/// channels in order, in float, and is stored after each kernel position.
void computeWindows(const ConvWindows& windows, ElementType inputs, ElementType partials,
                    const VertexData& data);

}  // namespace ipusim::workloads
