// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "poplar/Type.hpp"
#include "popops/ExprOp.hpp"

namespace popops {
namespace expr {

/// What is computed for each element, of the elements of operands at the same place: a value that
/// copies share.
class Expr {
 public:
  enum class Kind { Constant, Argument, Cast, Unary, Binary, Ternary };

  struct Node {
    Kind kind;
    int op;  ///< of the operators: the number of one of the enums; of an argument: from 1
    std::string value;  ///< of a constant: how C++ spells it
    poplar::Type type;  ///< of a constant, and what a cast gives
    std::vector<std::shared_ptr<const Node>> inputs;
  };

  const Node& node() const { return *node_; }
  std::unique_ptr<Expr> clone() const { return std::unique_ptr<Expr>(new Expr(*this)); }

 protected:
  Expr(Kind kind, int op, const std::vector<Expr>& inputs,
       const poplar::Type& type = poplar::Type(), const std::string& value = "") {
    const std::shared_ptr<Node> node = std::make_shared<Node>();
    node->kind = kind;
    node->op = op;
    node->value = value;
    node->type = type;
    for (const Expr& input : inputs) node->inputs.push_back(input.node_);
    node_ = node;
  }

 private:
  std::shared_ptr<const Node> node_;
};

/// An expression of any kind.
using Any = Expr;

namespace detail {

inline std::string spelled(double value) {
  if (value != value) return "__builtin_nanf(\"\")";
  if (value > 1e308 || value < -1e308) {
    return value > 0 ? "__builtin_inff()" : "-__builtin_inff()";
  }
  char text[32];
  std::snprintf(text, sizeof text, "%.17g", value);
  return text;
}
template <typename T>
typename std::enable_if<std::is_floating_point<T>::value, std::string>::type spellingOf(T value) {
  return spelled(static_cast<double>(value));
}
template <typename T>
typename std::enable_if<std::is_integral<T>::value, std::string>::type spellingOf(T value) {
  return std::to_string(value) + (sizeof(T) > 4 ? "LL" : std::is_signed<T>::value ? "" : "U");
}
inline std::string spellingOf(bool value) {
  return value ? "true" : "false";
}

}  // namespace detail

/// A number. Beside an operand of another type it takes that type.
class Const : public Expr {
 public:
  template <typename T, typename = typename std::enable_if<std::is_arithmetic<T>::value>::type>
  Const(T value)
      : Expr(Kind::Constant, 0, {},
             std::is_same<T, bool>::value       ? poplar::BOOL
             : std::is_floating_point<T>::value ? poplar::FLOAT
             : std::is_signed<T>::value         ? poplar::INT
                                                : poplar::UNSIGNED_INT,
             detail::spellingOf(value)) {}

 protected:
  Const(double value, const poplar::Type& type)
      : Expr(Kind::Constant, 0, {}, type, detail::spelled(value)) {}
};
class ConstHalf : public Const {
 public:
  explicit ConstHalf(float value) : Const(static_cast<double>(value), poplar::HALF) {}
};
class ConstFloat : public Const {
 public:
  explicit ConstFloat(float value) : Const(static_cast<double>(value), poplar::FLOAT) {}
};

/// Operand number `index`, counted from 1.
class PlaceHolder : public Expr {
 public:
  explicit PlaceHolder(unsigned index) : Expr(Kind::Argument, static_cast<int>(index), {}) {}
};
const PlaceHolder _1(1);
const PlaceHolder _2(2);
const PlaceHolder _3(3);
const PlaceHolder _4(4);
const PlaceHolder _5(5);
const PlaceHolder _6(6);
const PlaceHolder _7(7);
const PlaceHolder _8(8);
const PlaceHolder _9(9);
const PlaceHolder _10(10);
const PlaceHolder _11(11);
const PlaceHolder _12(12);
const PlaceHolder _13(13);
const PlaceHolder _14(14);
const PlaceHolder _15(15);
const PlaceHolder _16(16);
const PlaceHolder _17(17);
const PlaceHolder _18(18);
const PlaceHolder _19(19);
const PlaceHolder _20(20);

/// The value as another type.
class Cast : public Expr {
 public:
  Cast(const Expr& value, const poplar::Type& type) : Expr(Kind::Cast, 0, {value}, type) {}
};

/// Any operator of one operand.
class UnaryOp : public Expr {
 public:
  UnaryOp(UnaryOpType op, const Expr& a) : Expr(Kind::Unary, static_cast<int>(op), {a}) {}
};
class BinaryOp : public Expr {
 public:
  BinaryOp(BinaryOpType op, const Expr& a, const Expr& b)
      : Expr(Kind::Binary, static_cast<int>(op), {a, b}) {}
};
class TernaryOp : public Expr {
 public:
  TernaryOp(TernaryOpType op, const Expr& a, const Expr& b, const Expr& c)
      : Expr(Kind::Ternary, static_cast<int>(op), {a, b, c}) {}
};

template <UnaryOpType kOp>
class Unary : public UnaryOp {
 public:
  explicit Unary(const Expr& a) : UnaryOp(kOp, a) {}
};
template <BinaryOpType kOp>
class Binary : public BinaryOp {
 public:
  Binary(const Expr& a, const Expr& b) : BinaryOp(kOp, a, b) {}
};
template <TernaryOpType kOp>
class Ternary : public TernaryOp {
 public:
  Ternary(const Expr& a, const Expr& b, const Expr& c) : TernaryOp(kOp, a, b, c) {}
};

using Abs = Unary<UnaryOpType::ABSOLUTE>;
using Asin = Unary<UnaryOpType::ASIN>;
using BitwiseNot = Unary<UnaryOpType::BITWISE_NOT>;
using Cbrt = Unary<UnaryOpType::CBRT>;
using Ceil = Unary<UnaryOpType::CEIL>;
using Cos = Unary<UnaryOpType::COS>;
using Erf = Unary<UnaryOpType::ERF>;
using Exp = Unary<UnaryOpType::EXPONENT>;
using Exp2 = Unary<UnaryOpType::EXPONENT2>;
using Expm1 = Unary<UnaryOpType::EXPONENT_MINUS_ONE>;
using Floor = Unary<UnaryOpType::FLOOR>;
using GeluErf = Unary<UnaryOpType::GELU_ERF>;
using Inv = Unary<UnaryOpType::INVERSE>;
using IsFinite = Unary<UnaryOpType::IS_FINITE>;
using IsInf = Unary<UnaryOpType::IS_INF>;
using IsNaN = Unary<UnaryOpType::IS_NAN>;
using Log = Unary<UnaryOpType::LOGARITHM>;
using Log1p = Unary<UnaryOpType::LOGARITHM_ONE_PLUS>;
using NearbyInt = Unary<UnaryOpType::NEARBY_INT>;
using Neg = Unary<UnaryOpType::NEGATE>;
using Not = Unary<UnaryOpType::LOGICAL_NOT>;
using Relu = Unary<UnaryOpType::RELU>;
using Round = Unary<UnaryOpType::ROUND>;
using Rsqrt = Unary<UnaryOpType::RSQRT>;
using Sigmoid = Unary<UnaryOpType::SIGMOID>;
using Signum = Unary<UnaryOpType::SIGNUM>;
using Sin = Unary<UnaryOpType::SIN>;
using Sqrt = Unary<UnaryOpType::SQRT>;
using Square = Unary<UnaryOpType::SQUARE>;
using Tan = Unary<UnaryOpType::TAN>;
using Tanh = Unary<UnaryOpType::TANH>;
using Trunc = Unary<UnaryOpType::TRUNC>;

using Add = Binary<BinaryOpType::ADD>;
using And = Binary<BinaryOpType::LOGICAL_AND>;
using Atan2 = Binary<BinaryOpType::ATAN2>;
using BitwiseAnd = Binary<BinaryOpType::BITWISE_AND>;
using BitwiseOr = Binary<BinaryOpType::BITWISE_OR>;
using BitwiseXnor = Binary<BinaryOpType::BITWISE_XNOR>;
using BitwiseXor = Binary<BinaryOpType::BITWISE_XOR>;
using Divide = Binary<BinaryOpType::DIVIDE>;
using Equal = Binary<BinaryOpType::EQUAL>;
using Gt = Binary<BinaryOpType::GREATER_THAN>;
using Gte = Binary<BinaryOpType::GREATER_THAN_EQUAL>;
using InvStdDevToVariance = Binary<BinaryOpType::INV_STD_DEV_TO_VARIANCE>;
using Lt = Binary<BinaryOpType::LESS_THAN>;
using Lte = Binary<BinaryOpType::LESS_THAN_EQUAL>;
using Max = Binary<BinaryOpType::MAXIMUM>;
using Min = Binary<BinaryOpType::MINIMUM>;
using Mul = Binary<BinaryOpType::MULTIPLY>;
using NotEqual = Binary<BinaryOpType::NOT_EQUAL>;
using Or = Binary<BinaryOpType::LOGICAL_OR>;
using Pow = Binary<BinaryOpType::POWER>;
using Rem = Binary<BinaryOpType::REMAINDER>;
using Shl = Binary<BinaryOpType::SHIFT_LEFT>;
using Shr = Binary<BinaryOpType::SHIFT_RIGHT>;
using ShrSE = Binary<BinaryOpType::SHIFT_RIGHT_SIGN_EXTEND>;
using Sub = Binary<BinaryOpType::SUBTRACT>;
using VarianceToInvStdDev = Binary<BinaryOpType::VARIANCE_TO_INV_STD_DEV>;

using Clamp = Ternary<TernaryOpType::CLAMP>;
using Select = Ternary<TernaryOpType::SELECT>;

// The macro exists in this file only: an operator takes two expressions, or one and a number.
#define IPUSIM_OPERATOR(NAME, SYMBOL)                                                           \
  inline NAME operator SYMBOL(const Expr& a, const Expr& b) {                                   \
    return NAME(a, b);                                                                          \
  }                                                                                             \
  template <typename T, typename = typename std::enable_if<std::is_arithmetic<T>::value>::type> \
  NAME operator SYMBOL(const Expr& a, T b) {                                                    \
    return NAME(a, Const(b));                                                                   \
  }                                                                                             \
  template <typename T, typename = typename std::enable_if<std::is_arithmetic<T>::value>::type> \
  NAME operator SYMBOL(T a, const Expr& b) {                                                    \
    return NAME(Const(a), b);                                                                   \
  }

IPUSIM_OPERATOR(Add, +)
IPUSIM_OPERATOR(Sub, -)
IPUSIM_OPERATOR(Mul, *)
IPUSIM_OPERATOR(Divide, /)
IPUSIM_OPERATOR(Rem, %)
IPUSIM_OPERATOR(Lt, <)
IPUSIM_OPERATOR(Lte, <=)
IPUSIM_OPERATOR(Gt, >)
IPUSIM_OPERATOR(Gte, >=)
IPUSIM_OPERATOR(Equal, ==)
IPUSIM_OPERATOR(NotEqual, !=)
IPUSIM_OPERATOR(And, &&)
IPUSIM_OPERATOR(Or, ||)
IPUSIM_OPERATOR(BitwiseAnd, &)
IPUSIM_OPERATOR(BitwiseOr, |)
IPUSIM_OPERATOR(BitwiseXor, ^)
IPUSIM_OPERATOR(Shl, <<)
IPUSIM_OPERATOR(Shr, >>)
#undef IPUSIM_OPERATOR

inline Neg operator-(const Expr& a) {
  return Neg(a);
}
inline Not operator!(const Expr& a) {
  return Not(a);
}
inline BitwiseNot operator~(const Expr& a) {
  return BitwiseNot(a);
}
/// `1.5_half` is a constant of half.
inline ConstHalf operator"" _half(long double value) {
  return ConstHalf(static_cast<float>(value));
}

}  // namespace expr
}  // namespace popops
