// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "workloads/networks/graph/operation.h"
#include "workloads/ops/norm/norm.h"

namespace ipusim::workloads {

struct NormShape {
  NormKind kind;
  std::uint64_t groups = 1;  ///< of the channels; of Group only
  double epsilon = 1e-5;
};

/// y = (x - mean) / sqrt(variance + epsilon) * scale + bias with the statistics of x: (x, scale,
/// bias) gives (y, mean, 1 / sqrt(variance + epsilon)). Scale and bias have one element per
/// channel, or the last dimensions of x.
OperationPointer normalisation(const NormShape& shape);

/// A batch norm with given statistics: (x, scale, bias, mean, variance) gives y.
OperationPointer batchNormInference(double epsilon);

}  // namespace ipusim::workloads
