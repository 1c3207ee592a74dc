// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "popops/Expr.hpp"
#include "poputil/exceptions.hpp"

// An expression as C++ for a vertex. The functions that it calls are those of
// poplar/runtime/library/map_codelet.cpp; operators that the library has vertices for have the names of those.

namespace popops {
namespace detail {

inline const char* nameOf(expr::UnaryOpType op) {
  static const char* const kNames[] = {"absolute",
                                       "asin",
                                       "bitwise_not",
                                       "cbrt",
                                       "ceil",
                                       "cos",
                                       "leading_zeros",
                                       "erf",
                                       "exponent",
                                       "exponent2",
                                       "exponent_minus_one",
                                       "floor",
                                       "gelu_erf",
                                       "inverse",
                                       "is_finite",
                                       "is_inf",
                                       "is_nan",
                                       "logarithm",
                                       "logarithm_one_plus",
                                       "logical_not",
                                       "nearby_int",
                                       "negate",
                                       "popcount",
                                       "relu",
                                       "round",
                                       "rsqrt",
                                       "sigmoid",
                                       "signum",
                                       "sin",
                                       "sqrt",
                                       "square",
                                       "tan",
                                       "tanh",
                                       "truncate"};
  return kNames[static_cast<int>(op)];
}

inline const char* nameOf(expr::BinaryOpType op) {
  static const char* const kNames[] = {"add",
                                       "atan2",
                                       "bitwise_and",
                                       "bitwise_or",
                                       "bitwise_xnor",
                                       "bitwise_xor",
                                       "divide",
                                       "equal",
                                       "greater_than",
                                       "greater_or_equal",
                                       "inv_std_dev_to_variance",
                                       "less_than",
                                       "less_or_equal",
                                       "logical_and",
                                       "logical_or",
                                       "maximum",
                                       "minimum",
                                       "multiply",
                                       "not_equal",
                                       "power",
                                       "remainder",
                                       "shift_left",
                                       "shift_right",
                                       "shift_right_sign",
                                       "subtract",
                                       "variance_to_inv_std_dev"};
  return kNames[static_cast<int>(op)];
}

inline const char* nameOf(expr::TernaryOpType op) {
  return op == expr::TernaryOpType::CLAMP ? "clamp" : "select";
}

/// Whether the operator gives a bool for operands of any type.
inline bool givesBool(const std::string& op) {
  static const char* const kOps[] = {"equal",         "not_equal",    "less_than",
                                     "less_or_equal", "greater_than", "greater_or_equal",
                                     "logical_and",   "logical_or",   "logical_not",
                                     "is_finite",     "is_inf",       "is_nan"};
  for (const char* each : kOps) {
    if (op == each) return true;
  }
  return false;
}

/// C++ of a value. A half is carried as the float that it equals.
struct TypedText {
  std::string text;
  poplar::Type type;
  bool is_constant;
};

/// `text` as a value of that type.
inline std::string roundedTo(const poplar::Type& type, const std::string& text) {
  return "as<" + type.toString() + ">(" + text + ")";
}

inline TypedText cppOf(const expr::Expr::Node& node, const std::vector<poplar::Type>& types);

/// An operator: constants among its first two operands take the type of the other one.
inline TypedText cppOfOperator(const std::string& op, std::vector<TypedText> inputs) {
  TypedText& first = inputs[0];
  bool is_constant = true;
  for (const TypedText& input : inputs) is_constant = is_constant && input.is_constant;
  if (inputs.size() > 1) {
    TypedText& second = inputs[1];
    if (first.is_constant && !second.is_constant) first.type = second.type;
    if (second.is_constant && !first.is_constant) second.type = first.type;
    if (first.type != second.type) {
      throw poputil::poplibs_error("map: wanted operands of one type for " + op + ", found " +
                                   first.type.toString() + " and " + second.type.toString());
    }
  }
  if (op == "clamp") inputs[2].type = first.type;
  const poplar::Type type = givesBool(op) ? poplar::BOOL : first.type;
  std::string text = op + "(";
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    text += (i > 0 ? ", " : "") +
            (inputs[i].is_constant ? roundedTo(inputs[i].type, inputs[i].text) : inputs[i].text);
  }
  return TypedText{roundedTo(type, text + ")"), type, is_constant};
}

/// The C++ of an expression whose operands x1, x2 … have those types.
inline TypedText cppOf(const expr::Expr::Node& node, const std::vector<poplar::Type>& types) {
  std::vector<TypedText> inputs;
  for (const std::shared_ptr<const expr::Expr::Node>& input : node.inputs) {
    inputs.push_back(cppOf(*input, types));
  }
  switch (node.kind) {
    case expr::Expr::Kind::Constant:
      return TypedText{node.value, node.type, true};
    case expr::Expr::Kind::Argument: {
      const std::size_t index = static_cast<std::size_t>(node.op);
      if (index == 0 || index > types.size()) {
        throw poputil::poplibs_error(
            "map: wanted an operand for each placeholder, found none for _" +
            std::to_string(node.op));
      }
      return TypedText{"x" + std::to_string(node.op), types[index - 1], false};
    }
    case expr::Expr::Kind::Cast:
      return TypedText{roundedTo(node.type, inputs[0].text), node.type, false};
    case expr::Expr::Kind::Unary:
      return cppOfOperator(nameOf(static_cast<expr::UnaryOpType>(node.op)), inputs);
    case expr::Expr::Kind::Binary:
      return cppOfOperator(nameOf(static_cast<expr::BinaryOpType>(node.op)), inputs);
    default:
      return cppOfOperator(nameOf(static_cast<expr::TernaryOpType>(node.op)), inputs);
  }
}

/// The name of the operator where an expression is no more than one on the operands in order; else
/// empty.
inline std::string onlyOperator(const expr::Expr::Node& node) {
  for (std::size_t i = 0; i < node.inputs.size(); ++i) {
    const expr::Expr::Node& input = *node.inputs[i];
    if (input.kind != expr::Expr::Kind::Argument || input.op != static_cast<int>(i) + 1) return "";
  }
  if (node.kind == expr::Expr::Kind::Unary) return nameOf(static_cast<expr::UnaryOpType>(node.op));
  if (node.kind == expr::Expr::Kind::Binary) {
    return nameOf(static_cast<expr::BinaryOpType>(node.op));
  }
  return "";
}

}  // namespace detail
}  // namespace popops
