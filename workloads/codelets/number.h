// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <Eigen/Core>

#include "models/ipu/element_type.h"

namespace ipusim::workloads {

/// The C++ type that holds a half in tile memory: IEEE binary16, rounded to nearest even.
using Half = Eigen::half;

/// Calls `function` with a value of the C++ type of `type`: Half or float.
template <typename Function>
void withNumber(models::ElementType type, const Function& function) {
  if (type == models::ElementType::Half) {
    function(Half{});
  } else {
    function(float{});
  }
}

}  // namespace ipusim::workloads
