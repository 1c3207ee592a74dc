// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/ops/conv/layout.h"

// The tensors that the memory of a convolution stands for, in the order of dimensions of the
// vendor's library: activations are (batch, channels of all groups, field...), weights are (groups,
// out channels, in channels, kernel...). A single group has no dimension.
// Source: graphcore/poplibs lib/poplin/include/poplin/Convolution.hpp, commit 7eac0f26 (MIT).

namespace ipusim::workloads {

/// The shape of activations that are (groups, channels, batch, field...).
Shape activationShape(const Shape& grouped);
/// The shape of weights that are (groups, out channels, in channels, kernel...).
Shape weightShape(const Shape& grouped);

/// What an input, weights or a result in memory stand for: a step's convolution as the plan has
/// transformed it. An input has the elements only that some output meets.
Shape storedInputShape(const ConvLayout& layout);
Shape storedWeightShape(const ConvLayout& layout);
Shape storedResultShape(const ConvLayout& layout);

}  // namespace ipusim::workloads
