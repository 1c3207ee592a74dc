// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/element_type.h"

namespace ipusim::models {

constexpr bool isHalf(ElementType type) {
  return type == ElementType::Half;
}

constexpr bool isFloat(ElementType type) {
  return type == ElementType::Float;
}

}  // namespace ipusim::models
