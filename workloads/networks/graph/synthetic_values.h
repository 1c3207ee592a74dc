// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "workloads/networks/graph/network_graph.h"

namespace ipusim::workloads {

/// Values with which a check fills a source of a network. Empty where any numbers will do.
///
/// Weights whose products are summed get smaller the more there are of them, as training starts
/// them: results then have the size of operands, so that halves do not overflow and batch norms do
/// not subtract large numbers from each other. What an operation wants without negative numbers,
/// such as a variance, has none.
TensorValues syntheticValues(const NetworkGraph& network, NetworkTensorId source);

/// What the elements of `source` are below, where they are whole numbers: the rows of a table for
/// its indices, the classes for labels, 2 otherwise.
std::uint64_t wholesBelow(const NetworkGraph& network, NetworkTensorId source);

/// Values of `sources` by which all elements of `results` are numbers, for a network with
/// operations that have a domain: of both signs, positive, negative, or above 1, whichever is the
/// first that does. None where any numbers will do. Throws OperandError where none of them does,
/// with the name of the node that makes the first result that is no number.
std::optional<std::vector<TensorValues>> valuesInDomain(
    const NetworkGraph& network, const std::vector<NetworkTensorId>& sources,
    const std::vector<NetworkTensorId>& results);

}  // namespace ipusim::workloads
