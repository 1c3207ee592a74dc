// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/vertices/table.h"

// One entry of the table per vertex type. Each is defined in the file of its type.

namespace ipusim::workloads {

VertexEntry ampEntry();
VertexEntry binaryOpEntry();
VertexEntry broadcastVectorEntry();
VertexEntry butterflyStageEntry();
VertexEntry castEntry();
VertexEntry copyEntry();
VertexEntry dynamicSliceEntry();
VertexEntry hmacEntry();
VertexEntry multiSliceEntry();
VertexEntry oneHotEntry();
VertexEntry outerProductEntry();
VertexEntry reduceEntry();
VertexEntry reduceAddEntry();
VertexEntry reducePairsEntry();
VertexEntry reluGradEntry();
VertexEntry scaleByScalarEntry();
VertexEntry scaledAddEntry();
VertexEntry sparseMatMulEntry();
VertexEntry transposeEntry();
VertexEntry triadEntry();
VertexEntry unaryOpEntry();
VertexEntry userAddEntry();
VertexEntry userProductEntry();
VertexEntry zeroEntry();

}  // namespace ipusim::workloads
