// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/machine.h"
#include "workloads/vertices/reductions/pooling.h"

namespace ipusim::workloads {

/// A window over the field of each channel. Vectors have one entry per dimension of the field.
struct PoolWindow {
  std::uint64_t samples;
  std::uint64_t channels;
  ElementType type;
  std::vector<std::uint64_t> field;
  std::vector<std::uint64_t> positions;
  std::vector<std::uint64_t> window;
  std::vector<std::uint64_t> stride;
  std::vector<std::uint64_t> padding;  ///< before the field
  std::vector<std::uint64_t> dilation;
};

/// How a pooling is shared between the tiles: in blocks of planes, which are groups of channels of
/// one sample, and of the field or the positions that are computed.
struct PoolPlan {
  std::uint64_t channels;            ///< of a plane
  std::vector<std::uint64_t> parts;  ///< of the planes, and of each dimension
};

/// The plan of the fewest cycles: the published estimate of the vertex, and the bytes that a tile
/// receives at 4 B a cycle. The channels of a plane are as many as the vendor's library prefers, or
/// the largest divisor of the channels below that. The window is never split.
/// Source: graphcore/poplibs lib/popnn/PoolPlan.cpp (MIT). Its choice of tiles by what lies there
/// is left out.
PoolPlan planPooling(const Architecture& machine, const PoolWindow& window,
                     models::PoolingVertex vertex, PoolingDirection direction);

}  // namespace ipusim::workloads
