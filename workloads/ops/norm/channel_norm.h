// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/norm/norm.h"

namespace ipusim::workloads {

/// Batch norms of tensors (samples, channels, field...) where they lie. Each tile works on the
/// channels that it holds, and only statistics and vectors of one element per channel travel. The
/// vendor's library normalises activations in this way, in the layout that a convolution leaves.
/// Source: graphcore/poplibs lib/popnn/NormsInternal.cpp, BatchNorm.cpp; lib/poplin/Norms.cpp
/// (MIT).
class ChannelNorm {
 public:
  /// The arguments must outlive this object.
  ChannelNorm(Graph& graph, const Architecture& machine, OpResult result, Program& program);

  /// Whether a tensor lies as this wants it: in one variable with little padding, and with whole
  /// vectors of channels one after the other.
  static bool takes(const Graph& graph, const Architecture& machine, const Tensor& tensor);

  /// A norm with the statistics of its operand. All results of this class lie like x.
  NormResult addNorm(const NormOperands& operands, double epsilon);
  NormGradients addGradients(const NormSaved& saved);
  /// x times `factors` plus `shift`, written to x or to a new tensor.
  enum class Writes : std::uint8_t { Operand, NewTensor };
  Tensor addScaled(const Tensor& x, const ChannelFactors& factors, Writes writes);

 private:
  using Op = models::BinaryOp;

  [[nodiscard]] std::string step(const char* part) const { return result_.name + part; }
  Tensor ofType(const Tensor& values, ElementType type, const char* part);
  /// out = data op vector, where all tensors are (samples, channels, field...).
  void beside(Op op, const Tensor& data, const Tensor& vector, const Tensor& out, const char* part);
  /// The product of two tensors that lie alike.
  Tensor product(const Tensor& left, const Tensor& right, const char* part);
  struct ChannelSum {
    const Tensor& tensor;
    models::ReduceOp op;
  };
  /// Sums over all but the channels, one after the other in one dimension.
  Tensor sums(const std::vector<ChannelSum>& of, const char* part);

  Graph& graph_;
  const Architecture& machine_;
  OpResult result_;
  Program& program_;
  Elementwise ops_;
};

}  // namespace ipusim::workloads
