// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/vertex_type.h"

// The common part of the vertices of a 1x1 convolution, whatever engine they use.

namespace ipusim::workloads {

/// Sizes of a vertex: conv groups, groups of channels, channels of a group, and positions
/// (`field`).
struct ConvBlocks {
  std::uint64_t conv_groups;
  std::uint64_t in_groups;
  std::uint64_t out_groups;
  std::uint64_t in_chans;
  std::uint64_t out_chans;
  std::uint64_t field;
};

/// The fields "in", "weights" and "out" of such a vertex.
std::vector<Field> convFields(const ConvBlocks& blocks, ElementType inputs, ElementType partials);

/// The work of a vertex. A multiply-add counts as two.
Flops convFlops(const ConvBlocks& blocks);

/// Bytes of the pointer table behind the struct, one word per edge, and of the workers' worklists,
/// one per kernel position.
Bytes convTableBytes(const std::vector<Field>& fields, std::uint64_t kernel_positions = 1);

/// Computes out[f][p] = sum over i, ic of in[f][ic] * weights[p][ic] on the fields 0, 1 and 2. A
/// sum begins at 0 and takes the channels in order, in float. The partial is stored after each in
/// group.
void computeConv(const ConvBlocks& blocks, ElementType inputs, ElementType partials,
                 const VertexData& data);

}  // namespace ipusim::workloads
