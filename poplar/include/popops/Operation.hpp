// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace popops {

/// How a reduction joins two elements.
enum class Operation { ADD, MUL, MIN, MAX, LOGICAL_AND, LOGICAL_OR, SQUARE_ADD, LOG_ADD };

}  // namespace popops
