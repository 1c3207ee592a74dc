// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/ipu/cost/elementwise/nonlinearity.h"
#include "workloads/networks/lowering/node_lowering.h"
#include "workloads/ops/elementwise/elementwise.h"

namespace ipusim::workloads {

/// What the steps of a function of one element, or of its gradient, work on. The two lie alike.
struct UnaryTensors {
  Tensor saved;     ///< the operand; of a gradient, what its slope is computed from
  Tensor gradient;  ///< of a gradient: that of the result
};

/// Adds the steps of a function of one element, or of its gradient. Tensors between steps have one
/// dimension and consecutive elements.
class UnarySteps {
 public:
  /// The arguments must outlive this object.
  UnarySteps(const NodeSite& site, const UnaryTensors& tensors, Program& program);

  [[nodiscard]] const Tensor& x() const { return saved_; }
  [[nodiscard]] const Tensor& saved() const { return saved_; }
  [[nodiscard]] const Tensor& gradient() const { return gradient_; }
  [[nodiscard]] Elementwise& ops() { return ops_; }
  [[nodiscard]] Lifetime lifetime() const { return site_.lifetime; }
  /// The name of a step.
  [[nodiscard]] std::string name(const char* part) const { return site_.name + "/" + part; }

  /// The result of the node, whose elements are those of `storage`.
  [[nodiscard]] Tensor result(const Tensor& storage) const;

  /// The function by an operator of the library.
  Tensor byOperator(models::UnaryOp op);
  /// The function by vertices of the library that work in place on a copy.
  Tensor byNonlinearity(models::NonLinearity function);
  /// The gradient by vertices of the library.
  Tensor gradientByNonlinearity(models::NonLinearity function);

  /// gradient op right.
  Tensor withGradient(models::BinaryOp op, const Tensor& right);
  /// An operator on what was saved, for a slope.
  Tensor slope(models::UnaryOp op);
  /// factor times tensor, in place.
  Tensor scaled(Tensor tensor, double factor);

  Tensor hardSigmoid(const Tensor& x, Lifetime lifetime);
  /// `values` where 0 < bounded < high, and 0 elsewhere.
  Tensor between(const Tensor& bounded, double high, const Tensor& values, Lifetime lifetime);
  /// `values` where bounded > 0, and 0 elsewhere. The gradient of relu masks them.
  Tensor whereAbove(const Tensor& bounded, const Tensor& values, const char* part,
                    Lifetime lifetime);

 private:
  const NodeSite& site_;
  Program& program_;
  Tensor like_;
  Tensor saved_;
  Tensor gradient_;
  Elementwise ops_;
};

}  // namespace ipusim::workloads
