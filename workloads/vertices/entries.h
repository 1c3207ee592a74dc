// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/vertices/table.h"

// One entry of the table per vertex type. Each is defined in the file of its type.

namespace ipusim::workloads {

extern const VertexEntry kAmpEntry;
extern const VertexEntry kBinaryOpEntry;
extern const VertexEntry kBroadcastVectorEntry;
extern const VertexEntry kButterflyStageEntry;
extern const VertexEntry kCastEntry;
extern const VertexEntry kConvPartialEntry;
extern const VertexEntry kCopyEntry;
extern const VertexEntry kDropoutEntry;
extern const VertexEntry kDynamicSliceEntry;
extern const VertexEntry kHmacEntry;
extern const VertexEntry kInverseStdDevEntry;
extern const VertexEntry kMapScalarsEntry;
extern const VertexEntry kMultiSliceEntry;
extern const VertexEntry kNonlinearityEntry;
extern const VertexEntry kNonlinearityGradEntry;
extern const VertexEntry kOneHotEntry;
extern const VertexEntry kOuterProductEntry;
extern const VertexEntry kPoolingEntry;
extern const VertexEntry kReduceEntry;
extern const VertexEntry kReduceAddEntry;
extern const VertexEntry kReducePairsEntry;
extern const VertexEntry kReluGradEntry;
extern const VertexEntry kScaleByScalarEntry;
extern const VertexEntry kScaledAddEntry;
extern const VertexEntry kSparseMatMulEntry;
extern const VertexEntry kTernaryOpEntry;
extern const VertexEntry kTransposeEntry;
extern const VertexEntry kTriadEntry;
extern const VertexEntry kUnaryOpEntry;
extern const VertexEntry kUniformEntry;
extern const VertexEntry kUserAddEntry;
extern const VertexEntry kUserProductEntry;
extern const VertexEntry kUserStencilEntry;
extern const VertexEntry kZeroEntry;

}  // namespace ipusim::workloads
