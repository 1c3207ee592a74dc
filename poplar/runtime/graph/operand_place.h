// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "ipusim/graph.h"

namespace poplar::detail {

/// The variable of `tensor` where it lies in it as `wanted` does in its own, on the same tiles.
/// None where it lies otherwise.
std::optional<ipusim::VariableId> variableThatLiesAs(const ipusim::Graph& graph,
                                                     const ipusim::Tensor& tensor,
                                                     const ipusim::Tensor& wanted);

}  // namespace poplar::detail
