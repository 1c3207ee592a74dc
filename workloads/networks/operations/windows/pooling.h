// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/networks/graph/operation.h"
#include "workloads/networks/operations/windows/window.h"

namespace ipusim::workloads {

enum class PoolingFunction : std::uint8_t {
  Maximum,        ///< padding never counts
  Average,        ///< the sum over the elements of the window inside the field, by their number
  AveragePadded,  ///< the sum, by the size of the window
};

/// A window that moves over the field of each channel.
struct PoolingShape {
  PoolingFunction function;
  Shape window;
  WindowMotion motion;
};

/// For each position, the number by which the sum of its window is divided for an average.
std::vector<double> divisorsOf(const PoolingShape& shape, const WindowedField& windowed);

/// (batch, channels, field...) gives (batch, channels, positions...). The gradient of a maximum
/// goes to the first element that equals it.
OperationPointer pooling(const PoolingShape& shape);

}  // namespace ipusim::workloads
