// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "ipusim/tensor.h"

namespace poplar::detail {

/// A tensor of that type and shape from pieces that fill it, as slicing, joining, reshaping and
/// shuffling make them. Throws InternalError for pieces that do not.
ipusim::Tensor tensorOf(ipusim::ElementType type, const ipusim::Shape& shape,
                        std::vector<ipusim::Tensor::Piece> pieces);

}  // namespace poplar::detail
