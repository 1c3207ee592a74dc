// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/codelets/link.h"
#include "sim/codelets/vertex_type.h"

namespace ipusim::codelets {

/// Estimates the code and the stack of a vertex on the tile by those of its native code: the bytes
/// of all functions that it may call, and the deepest chain of their frames.
void estimateSizes(const Objects& objects, VertexType& vertex);

}  // namespace ipusim::codelets
