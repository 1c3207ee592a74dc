// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/graph/mapping_index.h"

namespace ipusim::compiler {
using workloads::cutBySide;
using workloads::CutMove;
using workloads::MappingIndex;
using workloads::packingMoves;
using workloads::Side;
}  // namespace ipusim::compiler
