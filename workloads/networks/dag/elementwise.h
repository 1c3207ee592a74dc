// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/words.h"
#include "workloads/networks/dag/operation.h"

// Operations on single elements.

namespace ipusim::workloads {

/// Functions of one element. Gelu is x Phi(x) with the error function; GeluTanh is its
/// approximation by a tanh; Silu is x sigmoid(x); Relu6 is min(max(x, 0), 6); LeakyRelu is
/// max(x, kLeak x); HardSigmoid is min(max(kHardSlope x + 1/2, 0), 1); HardSwish is x times that.
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
  Exponent,
  Logarithm,
  SquareRoot,
  Reciprocal,
  Negate,
  Absolute,
  ErrorFunction,
};

constexpr Words<UnaryFunction, 17> kUnaryFunctions{{
    {UnaryFunction::Relu, "relu"},
    {UnaryFunction::Relu6, "relu6"},
    {UnaryFunction::LeakyRelu, "leaky_relu"},
    {UnaryFunction::Gelu, "gelu"},
    {UnaryFunction::GeluTanh, "gelu_tanh"},
    {UnaryFunction::Silu, "silu"},
    {UnaryFunction::Sigmoid, "sigmoid"},
    {UnaryFunction::Tanh, "tanh"},
    {UnaryFunction::HardSigmoid, "hard_sigmoid"},
    {UnaryFunction::HardSwish, "hard_swish"},
    {UnaryFunction::Exponent, "exp"},
    {UnaryFunction::Logarithm, "log"},
    {UnaryFunction::SquareRoot, "sqrt"},
    {UnaryFunction::Reciprocal, "reciprocal"},
    {UnaryFunction::Negate, "negate"},
    {UnaryFunction::Absolute, "abs"},
    {UnaryFunction::ErrorFunction, "erf"},
}};

constexpr double kLeak = 0.01;  // of ONNX LeakyRelu
constexpr double kHardSlope = 1.0 / 6;
constexpr double kRelu6High = 6;
constexpr double kTwoOverSqrtPi = 1.1283791670955126;  // the slope of erf at 0

/// y = f(x). Its gradient reads y where the slope is a function of it (Relu, Relu6, LeakyRelu,
/// Sigmoid, Tanh, HardSigmoid, Exponent, SquareRoot, Reciprocal), so that x need not be kept, and x
/// otherwise.
OperationPointer unary(UnaryFunction function);

enum class BinaryFunction : std::uint8_t { Add, Subtract, Multiply, Divide, Power };

constexpr Words<BinaryFunction, 5> kBinaryFunctions{{
    {BinaryFunction::Add, "add"},
    {BinaryFunction::Subtract, "subtract"},
    {BinaryFunction::Multiply, "multiply"},
    {BinaryFunction::Divide, "divide"},
    {BinaryFunction::Power, "power"},
}};

/// f(a, b), where shapes are broadcast. The exponent of a Power is a constant for its gradient.
OperationPointer binary(BinaryFunction function);

enum class Comparison : std::uint8_t { Equal, Less, LessOrEqual, Greater, GreaterOrEqual };

constexpr Words<Comparison, 5> kComparisons{{
    {Comparison::Equal, "equal"},
    {Comparison::Less, "less"},
    {Comparison::LessOrEqual, "less_or_equal"},
    {Comparison::Greater, "greater"},
    {Comparison::GreaterOrEqual, "greater_or_equal"},
}};

/// Whether a compares to b, as a bool. Shapes are broadcast. There is no gradient.
OperationPointer compare(Comparison comparison);

struct ClipBounds {
  double low;
  double high;
};
/// min(max(x, low), high). The gradient passes where low <= x <= high.
OperationPointer clip(const ClipBounds& bounds);

/// (condition, a, b): a where the condition is not zero, and b elsewhere. Shapes are broadcast.
OperationPointer select();

/// x as another type. Whole numbers pass no gradient.
OperationPointer cast(ElementType type);

/// x times a number.
OperationPointer scale(double factor);

/// (y, mask): y = x mask, where the mask is 0 with probability `rate` and 1 / (1 - rate) otherwise.
/// The reference draws the mask from a hash of `seed` and the element.
OperationPointer dropout(double rate, std::uint64_t seed);

}  // namespace ipusim::workloads
