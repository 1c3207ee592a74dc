// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/gpu/gpu_convolution.h"

#include <algorithm>

#include "ipusim/element_type.h"
#include "ipusim/tensor.h"

namespace ipusim::workloads {

namespace {

using Direction = ConvolutionNode::Direction;

std::uint64_t productOfStrides(const ConvolutionNode& conv) {
  std::uint64_t product = 1;
  for (const std::uint64_t stride : conv.windowed.motion.stride) product *= stride;
  return product;
}

/// Rows, columns and inner extent of the product of one group.
gpu::GemmShape productShape(const ConvolutionNode& conv) {
  const std::uint64_t in = conv.in_channels / conv.shape.groups;
  const std::uint64_t out = conv.out_channels / conv.shape.groups;
  const std::uint64_t window = elementsOf(conv.windowed.window);
  const std::uint64_t positions = conv.batch * elementsOf(conv.windowed.positions());
  switch (conv.direction) {
    case Direction::Forward:
      break;
    case Direction::InputGradient:
      return {conv.batch * elementsOf(conv.windowed.field), in,
              std::max<std::uint64_t>(1, ceilDiv(out * window, productOfStrides(conv)))};
    case Direction::WeightGradient:
      return {out, in * window, positions};
  }
  return {positions, out, in * window};
}

Bytes bytesOf(const TensorType& tensor) {
  return elementsOf(tensor.shape) * sizeOf(tensor.type);
}

std::uint64_t resultElements(const ConvolutionNode& conv) {
  switch (conv.direction) {
    case Direction::Forward:
      break;
    case Direction::InputGradient:
      return conv.batch * conv.in_channels * elementsOf(conv.windowed.field);
    case Direction::WeightGradient:
      return conv.out_channels * conv.in_channels / conv.shape.groups *
             elementsOf(conv.windowed.window);
  }
  return conv.batch * conv.out_channels * elementsOf(conv.windowed.positions());
}

}  // namespace

gpu::Kernel gpuConvolution(const ConvolutionNode& conv, const TensorTypes& operands) {
  const ElementType type = operands[0].type;
  const Bytes read = bytesOf(operands[0]) + bytesOf(operands[1]);
  gpu::GemmShape shape = productShape(conv);
  const bool has_one_channel = conv.in_channels == conv.shape.groups;
  if (has_one_channel && conv.shape.groups > 1) {
    const Bytes written = resultElements(conv) * sizeOf(type);
    const Flops work = Flops(2 * conv.shape.groups) * shape.m * shape.n * shape.k;
    return gpu::Elementwise{read, written, read + written, work};
  }
  shape.batch = conv.shape.groups;
  shape.operand_bytes = read;
  const gpu::Precision precision =
      type == ElementType::Half ? gpu::Precision::Fp16 : gpu::Precision::Fp32;
  if (shape.batch > 1) return gpu::BatchedGemm{shape, precision};
  return gpu::Gemm{shape, precision, gpu::Layout::RowMajor};
}

}  // namespace ipusim::workloads
