// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/ops/placement/arrange.h"

namespace ipusim::workloads {

/// The steps take rows of consecutive elements.
class RowsLowering : public NodeLowering {
 public:
  using NodeLowering::NodeLowering;

 protected:
  Tensor consecutiveRows(const Tensor& tensor, const std::string& part, Program& program) {
    const Tensor elements = consecutive(site_.graph, site_.machine, tensor, step(part), program);
    const std::uint64_t columns = tensor.shape().back();
    return elements.reshape({elements.elements() / columns, columns});
  }
};

}  // namespace ipusim::workloads
