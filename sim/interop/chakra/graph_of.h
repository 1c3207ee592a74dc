// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ipusim/graph.h"
#include "ipusim/machine.h"
#include "sim/interop/chakra/trace.h"

namespace ipusim::interop::chakra {

/// A Chakra trace as a program of one chip.
struct ChakraGraph {
  Graph graph;
  /// What the trace says and the graph does not hold: one line for each kind of thing.
  std::vector<std::string> without_counterpart;
};

/// Builds a graph whose steps run in an order that keeps all dependencies, and in the order of the
/// nodes where these leave a choice.
///
/// * A COMP_NODE becomes a compute set of one supervisor vertex on tile 0, because a trace says
///   nothing about tiles. The step takes as many cycles as the attribute "cycles" says. Without it,
///   it takes duration_micros, and without that the attribute num_ops at the machine's float peak.
/// * A COMM_COLL_NODE becomes a copy: each tile sends an equal part of comm_size to the next one.
/// * A MEM_LOAD_NODE and a MEM_STORE_NODE become host streams of tensor_size.
///
/// A data dependency between compute and communication nodes is a data dependency of the graph too:
/// one element that the first step writes and the second one reads. Every other dependency is kept
/// by the order alone. Throws ConfigError for a cycle of dependencies, for a dependency on data of
/// a node that is not there, and for sizes beyond the machine's memory. `file` is the name of the
/// trace in messages.
ChakraGraph graphOf(const Trace& trace, const std::string& file, const Machine& machine);

}  // namespace ipusim::interop::chakra
