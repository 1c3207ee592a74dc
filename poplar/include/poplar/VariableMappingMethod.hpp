// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace poplar {

/// How a variable is mapped that no call maps.
enum class VariableMappingMethod { NONE, LINEAR };

}  // namespace poplar
