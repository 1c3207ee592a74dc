// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ipusim/graph.h"
#include "ipusim/reference.h"
#include "sim/parallel/redistribution/device_step.h"

namespace ipusim::parallel {

/// A program that redistributes an array on the tiles of one chip.
struct ChipRedistribution {
  Graph graph;
  HostTensors host;                  ///< one input and one output: a row per device
  std::vector<TensorValues> wanted;  ///< what the output holds after the program; see graphOf()
};

/// Whether the host has values for the array.
enum class WithValues : bool { No, Yes };

/// Device d of the mesh is tile d. Every step is a copy into a new variable. With values, an
/// element has its row-major number in the array, modulo the largest prime up to which `type`
/// counts exactly. `global` is the shape of the array.
ChipRedistribution graphOf(const std::vector<DeviceStep>& steps, const Cells& source,
                           const Shape& global, ElementType type, WithValues with_values);

}  // namespace ipusim::parallel
