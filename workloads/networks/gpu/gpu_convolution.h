// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/gpu/kernel.h"
#include "workloads/networks/operations/windows/convolution.h"

namespace ipusim::workloads {

/// The kernel of a convolution in any direction on a GPU, as gpuNetwork() describes it. The
/// gradient of an input skips what a stride leaves out: its inner extent is that of one in
/// (product of strides) window elements. `operands` are the types of the node's operands.
gpu::Kernel gpuConvolution(const ConvolutionNode& conv, const TensorTypes& operands);

}  // namespace ipusim::workloads
