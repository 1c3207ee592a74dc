// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace poplar {

enum class TargetType { IPU, IPU_MODEL, CPU };

inline std::string toString(TargetType type) {
  return type == TargetType::IPU ? "IPU" : type == TargetType::CPU ? "CPU" : "IPU_MODEL";
}

}  // namespace poplar
