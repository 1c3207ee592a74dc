// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/placement/op_result.h"
#include "workloads/ops/rows/row_steps.h"

// Norms over tensors (samples, channels, field) of any layout: y = (x - mean) / sqrt(variance +
// epsilon) * scale + bias. They are made of reductions and elementwise steps, as in the vendor's
// library: statistics in floats, from sums of elements and of squares in one pass.
// Source: graphcore/poplibs lib/popnn/NormsInternal.cpp, BatchNorm.cpp, GroupNorm.cpp (MIT).

namespace ipusim::workloads {

/// Which elements share a mean and a variance.
enum class NormKind : std::uint8_t {
  Batch,  ///< those of a channel
  Group,  ///< those of a group of channels of one sample
  Layer,  ///< the last dimensions, as many as the scale has
};

/// A tensor as a norm sees it.
struct NormLayout {
  NormKind kind;
  std::uint64_t samples;
  std::uint64_t channels;  ///< 1 for a layer norm
  std::uint64_t field;     ///< elements of a channel of a sample, or of what shares statistics
  std::uint64_t groups;    ///< of channels; 1 unless the kind is Group

  [[nodiscard]] std::uint64_t statistics() const {
    return kind == NormKind::Batch ? channels : samples * groups;
  }
  /// Elements that share a statistic.
  [[nodiscard]] std::uint64_t elementsOfStatistic() const {
    return samples * channels * field / statistics();
  }
};

/// Operands of a norm. Scale and bias have one element per channel, or per element of the field of
/// a layer norm.
struct NormOperands {
  Tensor x;
  Tensor scale;
  Tensor bias;
};

struct NormResult {
  Tensor y;        ///< in the shape of x
  Tensor mean;     ///< (statistics), floats
  Tensor inverse;  ///< (statistics), floats: 1 / sqrt(variance + epsilon)
};

/// What the gradients of a norm are computed from.
struct NormSaved {
  Tensor x;
  Tensor scale;
  Tensor mean;
  Tensor inverse;
  Tensor gradient;  ///< of y
};

/// The gradients of the operands, in their shapes.
struct NormGradients {
  Tensor x;
  Tensor scale;
  Tensor bias;
};

/// Statistics that are given: one element per channel.
struct GivenStatistics {
  Tensor mean;
  Tensor variance;
};

/// What a norm with given statistics multiplies by and adds, one element per channel.
struct ChannelFactors {
  Tensor scale;
  Tensor shift;
};
/// Adds the steps that compute the factors.
ChannelFactors addChannelFactors(Graph& graph, const Architecture& machine,
                                 const NormOperands& operands, const GivenStatistics& given,
                                 double epsilon, const std::string& name, Program& program);

/// Adds the steps of one norm, or of its gradients. The arguments of the constructor must outlive
/// this object.
class NormSteps {
 public:
  NormSteps(Graph& graph, const Architecture& machine, const NormLayout& layout, OpResult result,
            Program& program);

  /// A norm with the statistics of its operand.
  NormResult addNorm(const NormOperands& operands, double epsilon);
  NormGradients addGradients(const NormSaved& saved);
  /// x times a scale plus a shift.
  Tensor addScaled(const Tensor& x, const ChannelFactors& factors);

 private:
  using Op = models::BinaryOp;

  [[nodiscard]] std::string step(const char* part) const { return result_.name + part; }
  [[nodiscard]] Tensor matrixOf(const Tensor& tensor) const;
  [[nodiscard]] Tensor shapedAs(const Shape& shape, const Tensor& matrix) const;
  Tensor ofType(const Tensor& values, ElementType type, const char* part);
  Tensor statisticAt(const Tensor& statistic, ElementType type, const char* part);
  Tensor channelAt(const Tensor& values, const char* part);
  [[nodiscard]] Tensor partialsByChannel(const Tensor& partials) const;
  void multiplyScale(const Tensor& matrix, const Tensor& scale);
  void addShift(const Tensor& matrix, const Tensor& bias);
  std::vector<Tensor> means(const std::vector<RowSteps::Reduction>& of, double factor,
                            const char* part);
  std::vector<Tensor> scaleGradients(const Tensor& products, const Tensor& gradient);

  Graph& graph_;
  const Architecture& machine_;
  NormLayout layout_;
  OpResult result_;
  Program& program_;
  RowSteps rows_;
  Elementwise ops_;
};

}  // namespace ipusim::workloads
