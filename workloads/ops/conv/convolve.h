// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "workloads/ops/conv/layout.h"
#include "workloads/ops/conv/reduce.h"
#include "workloads/ops/conv/shapes.h"

namespace ipusim::workloads {

/// Where a convolution is built.
struct ConvSite {
  Graph& graph;
  const Architecture& machine;
  const ConvLayout& layout;
  const std::string& name;  ///< prefix of the names of all that is added
  const ConvShapes& shapes;
};

/// The operands in memory, each with one dimension.
struct ConvStorage {
  Tensor input;
  Tensor weights;
  std::vector<Tensor>
      input_copies;  ///< a tile's own copy of its inputs; none: the vertices read `input`
};

/// The results of the multiplying vertices. Each block of the result has one set of partials per
/// part of the kernel and of the in channels. When neither is split, `storage` has the blocks of
/// the result one after the other.
struct ConvPartials {
  Tensor storage;
  std::vector<std::vector<PartialSet>> of_block;
};

/// Adds the vertices that multiply, for each part of the plan, to a compute set, and the compute
/// set to `program`. The partials live as long as `lifetime` says.
ConvPartials addConvolve(const ConvSite& site, const ConvStorage& operands, Lifetime lifetime,
                         Program& program);

}  // namespace ipusim::workloads
