// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "workloads/networks/graph/operation.h"

namespace ipusim::interop {

/// What a column of a topology file says.
enum class TopologyColumn : std::uint8_t {
  Layer,
  IfmapHeight,
  IfmapWidth,
  FilterHeight,
  FilterWidth,
  Channels,
  Filters,
  Stride,  ///< of the height, and of the width without a column of its own
  StrideWidth,
  M,
  N,
  K,
  Batch,
};

/// The name of a column in messages.
const char* nameOf(TopologyColumn column);

/// Where each column of a file stands, from 0.
using TopologyColumns = std::map<TopologyColumn, std::size_t>;

/// Finds the columns by the names in a header: those of a convolution or those of a product, in any
/// order, and perhaps a batch. Case, spaces and punctuation do not matter. A header of eight names
/// none of which is known has the columns of a convolution in the order of SCALE-Sim, which does
/// not read names. Throws OperandError for all others: a column that is not understood would
/// change what the layers are.
TopologyColumns topologyColumns(const std::vector<std::string_view>& header);

/// Whether the columns are those of products.
bool areProducts(const TopologyColumns& columns);

}  // namespace ipusim::interop
