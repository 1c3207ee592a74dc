// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace popops {
namespace expr {

/// What an operator of one operand gives for an element.
enum class UnaryOpType {
  ABSOLUTE,
  ASIN,
  BITWISE_NOT,
  CBRT,
  CEIL,
  COS,
  COUNT_LEADING_ZEROS,
  ERF,
  EXPONENT,
  EXPONENT2,
  EXPONENT_MINUS_ONE,
  FLOOR,
  GELU_ERF,
  INVERSE,
  IS_FINITE,
  IS_INF,
  IS_NAN,
  LOGARITHM,
  LOGARITHM_ONE_PLUS,
  LOGICAL_NOT,
  NEARBY_INT,
  NEGATE,
  POPCOUNT,
  RELU,
  ROUND,
  RSQRT,
  SIGMOID,
  SIGNUM,
  SIN,
  SQRT,
  SQUARE,
  TAN,
  TANH,
  TRUNC
};

/// What an operator gives for two elements.
enum class BinaryOpType {
  ADD,
  ATAN2,
  BITWISE_AND,
  BITWISE_OR,
  BITWISE_XNOR,
  BITWISE_XOR,
  DIVIDE,
  EQUAL,
  GREATER_THAN,
  GREATER_THAN_EQUAL,
  INV_STD_DEV_TO_VARIANCE,
  LESS_THAN,
  LESS_THAN_EQUAL,
  LOGICAL_AND,
  LOGICAL_OR,
  MAXIMUM,
  MINIMUM,
  MULTIPLY,
  NOT_EQUAL,
  POWER,
  REMAINDER,
  SHIFT_LEFT,
  SHIFT_RIGHT,
  SHIFT_RIGHT_SIGN_EXTEND,
  SUBTRACT,
  VARIANCE_TO_INV_STD_DEV
};

/// What an operator gives for three elements.
enum class TernaryOpType {
  CLAMP,  ///< the first, not below the second and not above the third
  SELECT  ///< the first where the third is true, or else the second
};

}  // namespace expr
}  // namespace popops
