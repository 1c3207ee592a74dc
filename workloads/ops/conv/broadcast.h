// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/ops/conv/convolve.h"

namespace ipusim::workloads {

/// Adds to `program` the step that sends each tile of a plan the inputs that its part reads, halo
/// included. `input` is in memory as the layout says, and `operand` ends its name. Returns the
/// copies, by tile.
std::vector<Tensor> addInputCopies(const ConvSite& site, const Tensor& input,
                                   const std::string& operand, Program& program);

}  // namespace ipusim::workloads
