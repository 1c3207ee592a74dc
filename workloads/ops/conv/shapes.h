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

/// The shapes of the tensors for those with groups.
struct ConvShapes {
  Shape (*activations)(const Shape& grouped) = activationShape;
  Shape (*weights)(const Shape& grouped) = weightShape;
};

/// What an input, weights or a result in memory stand for: a step's convolution as the plan has
/// transformed it. An input has the elements only that some output meets.
Shape storedInputShape(const ConvLayout& layout, const ConvShapes& shapes);
Shape storedWeightShape(const ConvLayout& layout, const ConvShapes& shapes);
/// The result of `steps` steps, one after the other along the out channels.
Shape storedResultShape(const ConvLayout& layout, const ConvShapes& shapes,
                        std::uint32_t steps = 1);

}  // namespace ipusim::workloads
