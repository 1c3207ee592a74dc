// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "poplar/runtime/graph/tensor_data.h"

namespace poplar::detail {

/// Elements as PrintTensor writes them: "[1 2 3]", rows in brackets of their own, a row a line. A
/// long row shows its ends only.
std::string tensorText(const TensorData& tensor, const std::vector<std::byte>& elements);

}  // namespace poplar::detail
