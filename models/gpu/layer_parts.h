// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/gpu/torch_layers.h"

// What the layers of torch_layers.cpp and torch_operators.cpp are put together from.

namespace ipusim::gpu {

constexpr std::uint64_t kActivationElementBytes = 4;
/// PyTorch's indices have 64 bits.
constexpr std::uint64_t kIndexBytes = 8;

inline Bytes activation(const LayerShape& layer) {
  return Bytes(kActivationElementBytes * layer.width * layer.batch);
}

/// One kernel, which the framework calls like an elementwise one.
inline Operator pass(const char* name, const Kernel& kernel) {
  return {name, FrameworkCall::Elementwise, {kernel}};
}

}  // namespace ipusim::gpu
