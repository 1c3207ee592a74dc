// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "workloads/ops/conv/planner/plan.h"

namespace ipusim::workloads {

/// Convolutions of one shape, and how many of them a network has.
struct LayerCount {
  const char* name;
  ConvParams params;
  std::uint64_t count;
};

/// The 53 convolutions of ResNet-50 v1.5, whose 3x3 kernels have the strides.
std::vector<LayerCount> resnet50Layers(std::uint64_t batch, ElementType type);

}  // namespace ipusim::workloads
