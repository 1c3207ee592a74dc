// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ipusim/graph.h"

namespace ipusim::workloads {

/// The tensors to fill, and what with.
struct Fill {
  std::vector<Tensor> tensors;
  double value = 0;
};

/// Adds a step to `program` that sets the elements of tensors to a value where they lie. The
/// workers of a tile share its runs, and the vectors of runs that are fewer than the workers. Runs
/// of one length that lie at several places are a list per worker. Source: graphcore/poplibs
/// lib/popops/Zero.cpp, lib/popops/Fill.cpp (MIT).
void addFill(Graph& graph, const Architecture& machine, const Fill& fill, const std::string& name,
             Program& program);
/// Fills with zero.
void addZero(Graph& graph, const Architecture& machine, const std::vector<Tensor>& tensors,
             const std::string& name, Program& program);

}  // namespace ipusim::workloads
