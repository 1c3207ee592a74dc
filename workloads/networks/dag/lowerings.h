// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

#include "workloads/networks/dag/convolution.h"
#include "workloads/networks/dag/elementwise.h"
#include "workloads/networks/dag/network_graph.h"
#include "workloads/networks/dag/node_lowering.h"
#include "workloads/networks/dag/normalisation.h"
#include "workloads/networks/dag/optimiser.h"
#include "workloads/networks/dag/pooling.h"
#include "workloads/networks/dag/product.h"
#include "workloads/networks/dag/quantisation.h"
#include "workloads/networks/dag/reduction.h"
#include "workloads/networks/dag/shaping.h"
#include "workloads/ops/butterfly/butterfly.h"
#include "workloads/ops/gather/bags.h"
#include "workloads/ops/gather/multi_slice.h"
#include "workloads/ops/softmax/softmax.h"
#include "workloads/vertices/dropout.h"

// The lowerings of operations, for their classes. Each throws NotLowered for what has no steps.

namespace ipusim::workloads {

using NodeLoweringPointer = std::unique_ptr<NodeLowering>;

NodeLoweringPointer lowerBinary(BinaryFunction function, NodeSite site);
NodeLoweringPointer lowerComparison(Comparison comparison, NodeSite site);
NodeLoweringPointer lowerPowerGradient(NodeSite site);
NodeLoweringPointer lowerScale(double factor, NodeSite site);
NodeLoweringPointer lowerSelect(NodeSite site);
NodeLoweringPointer lowerCast(ElementType type, NodeSite site);
NodeLoweringPointer lowerClip(const ClipBounds& bounds, NodeSite site);
NodeLoweringPointer lowerClipGradient(const ClipBounds& bounds, NodeSite site);

NodeLoweringPointer lowerConvolution(ConvolutionNode node, NodeSite site);
NodeLoweringPointer lowerDropout(const DropoutRule& rule, NodeSite site);

NodeLoweringPointer lowerMatmul(const MatmulForm& form, NodeSite site);

/// `kept` is the shape of the result with reduced dimensions of 1.
NodeLoweringPointer lowerReduction(ReductionFunction function, const Shape& kept, NodeSite site);
/// The gradient of a maximum or a minimum. `kept` is that of lowerReduction().
NodeLoweringPointer lowerExtremeGradient(const Shape& kept, NodeSite site);

/// Along dimension `axis`.
NodeLoweringPointer lowerSoftmax(SoftmaxForm form, std::size_t axis, NodeSite site);
NodeLoweringPointer lowerSoftmaxGradient(SoftmaxForm form, std::size_t axis, NodeSite site);

NodeLoweringPointer lowerNorm(const NormShape& norm, NodeSite site);
NodeLoweringPointer lowerNormGradient(const NormShape& norm, NodeSite site);
NodeLoweringPointer lowerBatchNormInference(double epsilon, NodeSite site);

NodeLoweringPointer lowerCrossEntropy(NodeSite site);
NodeLoweringPointer lowerSquaredError(NodeSite site);
NodeLoweringPointer lowerSquaredErrorGradient(NodeSite site);
NodeLoweringPointer lowerUpdate(const Optimiser& optimiser, NodeSite site);

NodeLoweringPointer lowerPooling(const PoolingShape& pooling, NodeSite site);
/// `input` is the shape of the operand of the forward pass.
NodeLoweringPointer lowerPoolingGradient(const PoolingShape& pooling, const Shape& input,
                                         NodeSite site);

NodeLoweringPointer lowerEmbedding(NodeSite site);
NodeLoweringPointer lowerEmbeddingGradient(std::uint64_t rows, NodeSite site);
/// A variable of the program that nothing writes.
NodeLoweringPointer lowerConstant(ElementType type, double value, NodeSite site);
NodeLoweringPointer lowerUpsample(const std::vector<std::uint64_t>& factors, NodeSite site);
NodeLoweringPointer lowerUpsampleGradient(const std::vector<std::uint64_t>& factors, NodeSite site);
NodeLoweringPointer lowerZeroPad(const AxisPadding& padding, NodeSite site);

NodeLoweringPointer lowerQuantise(const Quantiser& quantiser, NodeSite site);
/// `type` is that of the elements of the result.
NodeLoweringPointer lowerDequantise(const Quantiser& quantiser, ElementType type, NodeSite site);
NodeLoweringPointer lowerToQuarters(NodeSite site);
NodeLoweringPointer lowerFromQuarters(ElementType type, NodeSite site);
NodeLoweringPointer lowerPackSigns(NodeSite site);
NodeLoweringPointer lowerUnpackSigns(ElementType type, NodeSite site);

/// A copy with its elements row-major, spread linearly over the tiles.
NodeLoweringPointer lowerRowMajor(NodeSite site);

NodeLoweringPointer lowerButterfly(const ButterflyShape& shape, NodeSite site);
NodeLoweringPointer lowerButterflyGradient(const ButterflyShape& shape, bool wants_rows,
                                           NodeSite site);
/// `pass` is Forward or Backward.
NodeLoweringPointer lowerHadamard(NetworkPass pass, NodeSite site);
NodeLoweringPointer lowerLookUp(const RowNumbers& numbers, NodeSite site);
NodeLoweringPointer lowerLookUpGradient(const RowNumbers& numbers, NodeSite site);
NodeLoweringPointer lowerBags(const Bags& bags, const RowNumbers& numbers, NodeSite site);
NodeLoweringPointer lowerBagsGradient(const Bags& bags, const RowNumbers& numbers, NodeSite site);

/// For operations whose result is a view of the operands: no step makes it.
using MakeView = std::function<Tensor(const std::vector<Tensor>& operands)>;
NodeLoweringPointer lowerView(MakeView make, NodeSite site);

/// `tensor` with its elements repeated, as broadcasting repeats them.
Tensor broadcastView(const Tensor& tensor, const Shape& shape);

}  // namespace ipusim::workloads
