// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/tensor.h"

// Tensors with their dimensions in other places. Nothing is copied.

namespace ipusim::workloads {

/// The first dimension of the field of an operand of a convolution. Groups, channels and batch come
/// before the field; groups and channels before the kernel.
constexpr std::size_t kConvField = 3;

/// The in channels of an input, and the out and in channels of weights.
constexpr std::size_t kInputInChans = 1;
constexpr std::size_t kWeightOutChans = 1;
constexpr std::size_t kWeightInChans = 2;

/// `tensor` with dimension `from` at place `to`.
Tensor withDimMoved(const Tensor& tensor, std::size_t from, std::size_t to);

/// `tensor` with a dimension of size 1 at place `dim`.
Tensor withDim(const Tensor& tensor, std::size_t dim);

/// `tensor` without dimension `dim`, whose size is 1.
Tensor withoutDim(const Tensor& tensor, std::size_t dim);

/// `tensor` with channels and batch, or out and in channels, in each other's place.
Tensor exchanged(const Tensor& tensor);

}  // namespace ipusim::workloads
