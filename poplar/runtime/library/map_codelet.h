// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "poplar/Type.hpp"
#include "poplar/runtime/graph/graph_state.h"

// Vertices that the library writes in C++ and compiles as those of users are, where no published
// vertex computes what is asked for.

namespace poplar::detail {

/// How a vertex gets an operand of a map.
enum class MapOperand : std::uint8_t {
  Each,    ///< an element for each element of the result
  One,     ///< one element for all
  Result,  ///< what the result held before
};

/// The edges of a map: x1, x2 … and the result.
struct MapEdges {
  std::vector<std::pair<TypeId, MapOperand>> operands;
  TypeId result;
};

/// The name of a vertex with fields x1, x2 … and `out`, rows of runs, that sets each element of
/// `out` to the C++ `value`; it is compiled where the graph lacks it. Throws no_environment without
/// a compiler.
std::string mapCodelet(GraphState& state, const MapEdges& edges, const std::string& value);

/// Reduces `partials` consecutive elements of the field `in` to each element of the field `out`.
/// `op` is one of the functions of two operands.
std::string reductionCodelet(GraphState& state, const std::string& op, TypeId in, TypeId out);

/// Puts pairs of elements of the fields `a` and `b` in order. Where the field `is_mirrored` is not
/// 0, the first element of `a` meets the last of `b`.
std::string exchangeCodelet(GraphState& state, TypeId type, bool largest_first);

/// Puts the elements of the field `run` in order. Where the field `is_bitonic` is not 0, it takes
/// them for a sequence that ascends and then descends, or one that does so when it is rotated.
std::string runSortCodelet(GraphState& state, TypeId type, bool largest_first);

/// A vertex of all workers that reads or sets the state of their random numbers, in its field
/// `seeds`. `name` is one of those of addSeeds().
std::string seedsCodelet(GraphState& state, const std::string& name);

}  // namespace poplar::detail
