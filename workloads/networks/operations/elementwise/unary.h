// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/networks/graph/operation.h"

// Functions of one element. unary_table.cpp says all that is known of each, once: texts of
// networks, ONNX, gradients, references and lowerings read it there.

namespace ipusim::workloads {

class UnarySteps;

/// Gelu is x Phi(x) with the error function; GeluTanh is its approximation by a tanh; Silu is
/// x sigmoid(x); Relu6 is min(max(x, 0), 6); LeakyRelu is max(x, kLeak x); HardSigmoid is
/// min(max(kHardSlope x + 1/2, 0), 1); HardSwish is x times that; Softsign is x / (1 + |x|);
/// LogOnePlus is log(1 + x).
enum class UnaryFunction : std::uint8_t {
  Relu,
  Relu6,
  LeakyRelu,
  Gelu,
  GeluTanh,
  Silu,
  Sigmoid,
  Tanh,
  HardSigmoid,
  HardSwish,
  Softsign,
  Exponent,
  Logarithm,
  LogOnePlus,
  SquareRoot,
  Reciprocal,
  Negate,
  Absolute,
  ErrorFunction,
  Sine,
  Cosine,
  Tangent,
  ArcSine,
  Floor,
  Ceiling,
  Round,
  Sign,
};

constexpr double kLeak = 0.01;  // of ONNX LeakyRelu
constexpr double kHardSlope = 1.0 / 6;
constexpr double kRelu6High = 6;

/// What a slope is computed from. For a slope of the result, the operand need not be kept.
enum class SlopeOf : std::uint8_t {
  Operand,
  Result,
  ResultSign,  ///< of the result no more than whether it is positive
};

/// y = f(x).
struct UnaryRow {
  UnaryFunction function;
  const char* word;  ///< in texts of networks, and in names
  /// The ONNX operator that is the function whatever its attributes; empty where none is.
  const char* onnx;
  double (*value)(double x);
  SlopeOf slope_of;
  double (*slope)(double saved);  ///< `saved` is what the slope is computed from
  /// Whether some operands have results that are no numbers, or beyond the largest one.
  bool has_domain;
  /// Adds the steps, and returns what lies like the operand.
  Tensor (*lower)(UnarySteps& steps);
  Tensor (*lower_gradient)(UnarySteps& steps);
};

/// One row per function, in the order of UnaryFunction.
const std::vector<UnaryRow>& unaryRows();
const UnaryRow& rowOf(UnaryFunction function);

/// The operation of a function. Its gradient reads what the row says.
OperationPointer unary(UnaryFunction function);

}  // namespace ipusim::workloads
