// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/element_type.h"

namespace ipusim::workloads {

/// The distance from 1 to the next number of the type, which is half or float. A sum is off by at
/// most as many of them as it has terms.
constexpr double unitOf(ElementType type) {
  return type == ElementType::Half ? 1.0 / (1U << 10U) : 1.0 / (1U << 23U);
}

}  // namespace ipusim::workloads
