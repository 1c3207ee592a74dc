// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace poplar {

/// What a clone of a tensor looks like. A clone has the shape and the mapping of its original in
/// all of them; storage is row-major, so the order needs no choice.
enum class TensorCloneMethod {
  PRESERVE_ORDER_AND_ALIASES,
  CREATE_NEW_ORDER,
  PRESERVE_ORDER_UNLESS_ALIASES,
  GATHER_AND_PRESERVE_TILE_ORDER_AND_ALIASES
};

}  // namespace poplar
