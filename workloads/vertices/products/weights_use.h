// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "ipusim/vertex_type.h"

namespace ipusim::workloads {

/// How many positions a vertex sends past the weights that it loads into the matrix engine once.
/// Zero for a vertex type that holds no weights there. The fewer, the more of its time goes into
/// loads.
std::uint64_t positionsPerWeights(const VertexType& type);

}  // namespace ipusim::workloads
