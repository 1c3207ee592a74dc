// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/networks/dag/network_graph.h"

namespace ipusim::workloads {

/// Values with which a check fills a source of a network. Empty where any numbers will do.
///
/// Weights whose products are summed get smaller the more there are of them, as training starts
/// them: results then have the size of operands, so that halves do not overflow and batch norms do
/// not subtract large numbers from each other. What an operation wants without negative numbers,
/// such as a variance, has none.
TensorValues madeUpValues(const NetworkGraph& network, NetworkTensorId source);

}  // namespace ipusim::workloads
