// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "ipusim/element_type.h"
#include "models/gpu/program.h"

namespace ipusim::workloads {

/// An operator that reads `operands` tensors of `elements` elements and writes one tensor, as one
/// kernel.
struct MapShape {
  std::uint64_t elements;
  std::uint64_t operands;
  std::uint64_t flops_per_element;
};
std::optional<gpu::Program> gpuMap(ElementType type, const MapShape& map);

}  // namespace ipusim::workloads
