// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "ipusim/expected.h"
#include "workloads/networks/layer.h"
#include "workloads/ops/training/sgd.h"

namespace ipusim::workloads {

/// A multi-layer perceptron: `dims` are its inputs, the widths of its hidden layers and its
/// classes.
struct MlpShape {
  std::vector<std::uint64_t> dims;
  std::uint64_t batch;
};

/// One training step in doubles, by the chain rule. `inputs` are x, labels, then weights and bias
/// of each layer, then their velocities. The result is the loss, the parameters and the velocities
/// after the step. The scale of a tensor is its largest change.
Expected mlpStep(const MlpShape& shape, const SgdRates& rates, const std::vector<Values>& inputs);

}  // namespace ipusim::workloads
