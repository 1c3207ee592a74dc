// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "workloads/networks/graph/network_graph.h"

namespace ipusim::workloads {

/// Whether the results of nodes are rounded to their types, as memory holds them, and have the
/// roundings of Operation::computeRounded().
enum class EvaluatedResults : std::uint8_t { Exact, Rounded };

/// Computes all nodes in doubles. `sources` has the values of all inputs, parameters and states, by
/// their index; a constant with known numbers may be left out. The result has the values of every
/// tensor; a node that updates a tensor leaves the tensor as it was, and has the new values as its
/// result. Throws OperandError, with the name of the node in front, for an index out of range.
std::vector<TensorValues> evaluate(const NetworkGraph& graph,
                                   const std::unordered_map<std::size_t, TensorValues>& sources,
                                   EvaluatedResults results = EvaluatedResults::Exact);

/// evaluate(), where chance moves all results of nodes, and what Operation::computeProbed() says,
/// by as much as rounding may. The same seed gives the same numbers.
std::vector<TensorValues> evaluateProbed(
    const NetworkGraph& graph, const std::unordered_map<std::size_t, TensorValues>& sources,
    std::uint64_t seed);

/// evaluate() with exact results, where `nudges` has one number per node: it is added to each
/// element of the operand 0 of a node that chooses levels.
std::vector<TensorValues> evaluateNudged(
    const NetworkGraph& graph, const std::unordered_map<std::size_t, TensorValues>& sources,
    const std::vector<double>& nudges);

}  // namespace ipusim::workloads
