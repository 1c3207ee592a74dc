// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ipusim/tensor.h"

// Numbers that a file has, or that are computed while it is read.

namespace ipusim::workloads {

/// A tensor of numbers, row-major.
struct OnnxArray {
  std::int32_t type = onnx::TensorProto::FLOAT;  ///< an onnx::TensorProto::DataType
  Shape shape;
  std::vector<double> real;         ///< of a floating-point type: numbers of that type
  std::vector<std::int64_t> whole;  ///< of other types; bools are 0 and 1, uint64 has its bits

  [[nodiscard]] bool isReal() const;
  [[nodiscard]] std::size_t size() const { return isReal() ? real.size() : whole.size(); }
  /// An element as a double, or as a whole number. Reals beyond 64 bits become the nearest ones.
  [[nodiscard]] double realAt(std::size_t element) const;
  [[nodiscard]] std::int64_t wholeAt(std::size_t element) const;
  [[nodiscard]] std::vector<double> reals() const;
  [[nodiscard]] std::vector<std::int64_t> wholes() const;

  /// Zeros.
  static OnnxArray zeros(std::int32_t type, const Shape& shape);
  /// Whole numbers of 64 bits in one dimension.
  static OnnxArray integers(std::vector<std::int64_t> values);
};

/// The name of an element type, as the operators' documents have it.
std::string onnxTypeName(std::int32_t type);
bool isOnnxReal(std::int32_t type);
/// Whether a type is one of numbers or bools that arrays hold.
bool isOnnxNumber(std::int32_t type);

/// The nearest number of a floating-point type.
double roundedToOnnx(std::int32_t type, double value);
/// The low bits of a whole number, as a type holds them; of a bool, whether it is not 0.
std::int64_t wrappedToOnnx(std::int32_t type, std::int64_t value);

/// An array of another type: reals are truncated towards 0 where it has whole numbers.
OnnxArray castArray(const OnnxArray& from, std::int32_t type);

/// The numbers of a tensor. None where the file lacks them, or has them in another file. Throws
/// OperandError for a type that arrays do not hold.
std::optional<OnnxArray> arrayOf(const onnx::TensorProto& tensor);
/// The dimensions of a tensor. Throws OperandError for what no memory holds.
Shape shapeOfTensor(const onnx::TensorProto& tensor);

}  // namespace ipusim::workloads
