// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "models/ipu/cost/elementwise/binary_op.h"
#include "workloads/networks/operations/elementwise/unary.h"
#include "workloads/sources/onnx/onnx_site.h"

// Arithmetic that a node of a file is made of. Each part is a node of the network of its own.

namespace ipusim::workloads {

class OnnxMath {
 public:
  /// `site` must outlive this object.
  explicit OnnxMath(const OnnxSite& site) : site_(site) {}

  [[nodiscard]] NetworkTensorId unary(const std::string& part, UnaryFunction function,
                                      NetworkTensorId x) const;
  /// The larger operand of a sum or a product goes left, where steps on tiles want it.
  [[nodiscard]] NetworkTensorId binary(const std::string& part, models::BinaryOp op,
                                       NetworkTensorId left, NetworkTensorId right) const;
  /// x op number. Operators that are not commutative have the number on the right.
  [[nodiscard]] NetworkTensorId number(const std::string& part, models::BinaryOp op,
                                       NetworkTensorId x, double number) const;
  /// number op x.
  [[nodiscard]] NetworkTensorId numberLeft(const std::string& part, models::BinaryOp op,
                                           double number, NetworkTensorId x) const;
  [[nodiscard]] NetworkTensorId plus(const std::string& part, NetworkTensorId x,
                                     double number) const;
  [[nodiscard]] NetworkTensorId times(const std::string& part, NetworkTensorId x,
                                      double factor) const;
  [[nodiscard]] NetworkTensorId square(const std::string& part, NetworkTensorId x) const;
  /// 1 where a bool holds and 0 elsewhere, as the type of `like`.
  [[nodiscard]] NetworkTensorId asNumber(const std::string& part, NetworkTensorId x,
                                         ElementType type) const;

 private:
  const OnnxSite& site_;
};

}  // namespace ipusim::workloads
