// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <functional>

#include "base/text/message.h"
#include "workloads/networks/graph/indexing.h"
#include "workloads/sources/onnx/constants/fold.h"

// Arithmetic on single elements. Whole numbers wrap as their types do.

namespace ipusim::workloads {

namespace {

using Folded = std::vector<OnnxArray>;
using Bits = std::uint64_t;

/// Shapes of dimensions of 0 are broadcast too.
Shape foldedBroadcast(const OnnxArray& a, const OnnxArray& b) {
  return expectFoldable(broadcastShape(a.shape, b.shape));
}

template <typename OnReal, typename OnWhole>
Folded foldUnary(const FoldSite& site, const OnReal& on_real, const OnWhole& on_whole) {
  OnnxArray result = site.operand(0);
  for (double& value : result.real) value = roundedToOnnx(result.type, on_real(value));
  for (std::int64_t& value : result.whole) value = wrappedToOnnx(result.type, on_whole(value));
  return {std::move(result)};
}

template <typename OnReal>
Folded foldReal(const FoldSite& site, const OnReal& on_real) {
  if (!site.operand(0).isReal()) {
    throw OperandError("real numbers", onnxTypeName(site.operand(0).type));
  }
  return foldUnary(site, on_real, [](std::int64_t value) { return value; });
}

std::int64_t ofBits(Bits bits) {
  return static_cast<std::int64_t>(bits);
}

Folded foldAbsolute(const FoldSite& site) {
  return foldUnary(
      site, [](double x) { return std::abs(x); },
      [](std::int64_t x) { return x < 0 ? ofBits(Bits{0} - static_cast<Bits>(x)) : x; });
}

Folded foldNegate(const FoldSite& site) {
  return foldUnary(
      site, [](double x) { return -x; },
      [](std::int64_t x) { return ofBits(Bits{0} - static_cast<Bits>(x)); });
}

Folded foldSign(const FoldSite& site) {
  const bool is_unsigned = site.operand(0).type == onnx::TensorProto::UINT64;
  return foldUnary(
      site, [](double x) { return std::isnan(x) ? x : static_cast<double>((x > 0) - (x < 0)); },
      [is_unsigned](std::int64_t x) {
        if (is_unsigned) return std::int64_t{x != 0};
        return static_cast<std::int64_t>((x > 0) - (x < 0));
      });
}

Folded foldBitwiseNot(const FoldSite& site) {
  return foldUnary(
      site, [](double x) { return x; },
      [](std::int64_t x) { return ofBits(~static_cast<Bits>(x)); });
}

template <double (*Function)(double)>
Folded foldFunction(const FoldSite& site) {
  return foldReal(site, Function);
}

/// Halves become the nearest even number.
Folded foldRound(const FoldSite& site) {
  return foldReal(site, [](double x) { return std::nearbyint(x); });
}

Folded foldReciprocal(const FoldSite& site) {
  return foldReal(site, [](double x) { return 1 / x; });
}

Folded foldSigmoid(const FoldSite& site) {
  return foldReal(site, [](double x) { return 1 / (1 + std::exp(-x)); });
}

Folded foldRelu(const FoldSite& site) {
  return foldUnary(
      site, [](double x) { return x < 0 ? 0 : x; }, [](std::int64_t x) { return x < 0 ? 0 : x; });
}

Folded foldSoftplus(const FoldSite& site) {
  return foldReal(site, [](double x) { return std::log1p(std::exp(x)); });
}

template <typename OnReal, typename OnWhole>
OnnxArray foldedPair(const OnnxArray& a, const OnnxArray& b, const OnReal& on_real,
                     const OnWhole& on_whole) {
  if (a.isReal() != b.isReal()) {
    throw OperandError("operands of one type",
                       onnxTypeName(a.type) + " and " + onnxTypeName(b.type));
  }
  const Shape shape = foldedBroadcast(a, b);
  const auto left = StridedView::of(a.shape).broadcastTo(shape).positions();
  const auto right = StridedView::of(b.shape).broadcastTo(shape).positions();
  OnnxArray result = OnnxArray::zeros(a.type, shape);
  for (std::size_t e = 0; e < left.size(); ++e) {
    if (result.isReal()) {
      result.real[e] = roundedToOnnx(a.type, on_real(a.real[left[e]], b.real[right[e]]));
    } else {
      result.whole[e] = wrappedToOnnx(a.type, on_whole(a.whole[left[e]], b.whole[right[e]]));
    }
  }
  return result;
}

std::int64_t wholeQuotient(std::int64_t a, std::int64_t b, bool is_unsigned) {
  if (b == 0) throw OperandError("a divisor other than 0", "0");
  if (is_unsigned) return ofBits(static_cast<Bits>(a) / static_cast<Bits>(b));
  return b == -1 ? ofBits(Bits{0} - static_cast<Bits>(a)) : a / b;
}

/// The remainder with the sign of the divisor, or with `fmod` of the dividend.
std::int64_t wholeRemainder(std::int64_t a, std::int64_t b, bool is_unsigned, bool is_fmod) {
  if (b == 0) throw OperandError("a divisor other than 0", "0");
  if (is_unsigned) return ofBits(static_cast<Bits>(a) % static_cast<Bits>(b));
  if (b == -1) return 0;
  const std::int64_t remainder = a % b;
  const bool is_other = remainder != 0 && (remainder < 0) != (b < 0);
  return is_other && !is_fmod ? remainder + b : remainder;
}

std::int64_t wholePower(std::int64_t base, std::int64_t exponent) {
  if (exponent < 0) {
    if (base == 1) return 1;
    if (base == -1) return exponent % 2 == 0 ? 1 : -1;
    return 0;
  }
  Bits result = 1;
  auto square = static_cast<Bits>(base);
  for (auto left = static_cast<Bits>(exponent); left > 0; left >>= 1U) {
    if ((left & 1U) != 0) result *= square;
    square *= square;
  }
  return ofBits(result);
}

bool isUnsigned64(const FoldSite& site) {
  return site.operand(0).type == onnx::TensorProto::UINT64;
}

Folded foldAdd(const FoldSite& site) {
  return {foldedPair(
      site.operand(0), site.operand(1), [](double a, double b) { return a + b; },
      [](std::int64_t a, std::int64_t b) {
        return ofBits(static_cast<Bits>(a) + static_cast<Bits>(b));
      })};
}

Folded foldSubtract(const FoldSite& site) {
  return {foldedPair(
      site.operand(0), site.operand(1), [](double a, double b) { return a - b; },
      [](std::int64_t a, std::int64_t b) {
        return ofBits(static_cast<Bits>(a) - static_cast<Bits>(b));
      })};
}

Folded foldMultiply(const FoldSite& site) {
  return {foldedPair(
      site.operand(0), site.operand(1), [](double a, double b) { return a * b; },
      [](std::int64_t a, std::int64_t b) {
        return ofBits(static_cast<Bits>(a) * static_cast<Bits>(b));
      })};
}

Folded foldDivide(const FoldSite& site) {
  const bool is_unsigned = isUnsigned64(site);
  return {foldedPair(
      site.operand(0), site.operand(1), [](double a, double b) { return a / b; },
      [=](std::int64_t a, std::int64_t b) { return wholeQuotient(a, b, is_unsigned); })};
}

Folded foldRemainder(const FoldSite& site) {
  const bool is_fmod = site.isSet("fmod");
  const bool is_unsigned = isUnsigned64(site);
  return {foldedPair(
      site.operand(0), site.operand(1),
      [=](double a, double b) {
        const double remainder = std::fmod(a, b);
        return !is_fmod && remainder != 0 && (remainder < 0) != (b < 0) ? remainder + b : remainder;
      },
      [=](std::int64_t a, std::int64_t b) { return wholeRemainder(a, b, is_unsigned, is_fmod); })};
}

/// The types of base and exponent may differ; the result has that of the base.
Folded foldPower(const FoldSite& site) {
  const OnnxArray& base = site.operand(0);
  const OnnxArray& exponent = site.operand(1);
  if (base.isReal() || !exponent.isReal()) {
    return {foldedPair(
        base, base.isReal() ? castArray(exponent, onnx::TensorProto::DOUBLE) : exponent,
        [](double a, double b) { return std::pow(a, b); }, wholePower)};
  }
  const OnnxArray real = foldedPair(
      castArray(base, onnx::TensorProto::DOUBLE), castArray(exponent, onnx::TensorProto::DOUBLE),
      [](double a, double b) { return std::pow(a, b); }, wholePower);
  return {castArray(real, base.type)};
}

Folded foldBitShift(const FoldSite& site) {
  constexpr Bits kWord = 64;
  const bool is_left = site.textOf("direction", "LEFT") == "LEFT";
  return {foldedPair(
      site.operand(0), site.operand(1), [](double a, double /*b*/) { return a; },
      [=](std::int64_t a, std::int64_t b) {
        const auto bits = static_cast<Bits>(a);
        const auto places = static_cast<Bits>(b);
        if (places >= kWord) return std::int64_t{0};
        return ofBits(is_left ? bits << places : bits >> places);
      })};
}

template <typename Function>
Folded foldBits(const FoldSite& site, const Function& function) {
  return {foldedPair(
      site.operand(0), site.operand(1), [](double a, double /*b*/) { return a; },
      [&](std::int64_t a, std::int64_t b) {
        return ofBits(function(static_cast<Bits>(a), static_cast<Bits>(b)));
      })};
}

Folded foldBitwiseAnd(const FoldSite& site) {
  return foldBits(site, std::bit_and<>());
}
Folded foldBitwiseOr(const FoldSite& site) {
  return foldBits(site, std::bit_or<>());
}
Folded foldBitwiseXor(const FoldSite& site) {
  return foldBits(site, std::bit_xor<>());
}

Folded foldIdentity(const FoldSite& site) {
  return {site.operand(0)};
}

Folded foldCast(const FoldSite& site) {
  return {castArray(site.operand(0), static_cast<std::int32_t>(site.integer("to", 1)))};
}

Folded foldCastLike(const FoldSite& site) {
  return {castArray(site.operand(0), site.operand(1).type)};
}

}  // namespace

void addElementwiseFolds(FoldTable& table) {
  table.insert({{"Abs", foldAbsolute},
                {"Acos", foldFunction<std::acos>},
                {"Acosh", foldFunction<std::acosh>},
                {"Add", foldAdd},
                {"Asin", foldFunction<std::asin>},
                {"Asinh", foldFunction<std::asinh>},
                {"Atan", foldFunction<std::atan>},
                {"Atanh", foldFunction<std::atanh>},
                {"BitShift", foldBitShift},
                {"BitwiseAnd", foldBitwiseAnd},
                {"BitwiseNot", foldBitwiseNot},
                {"BitwiseOr", foldBitwiseOr},
                {"BitwiseXor", foldBitwiseXor},
                {"Cast", foldCast},
                {"CastLike", foldCastLike},
                {"Ceil", foldFunction<std::ceil>},
                {"Cos", foldFunction<std::cos>},
                {"Cosh", foldFunction<std::cosh>},
                {"Div", foldDivide},
                {"Erf", foldFunction<std::erf>},
                {"Exp", foldFunction<std::exp>},
                {"Floor", foldFunction<std::floor>},
                {"Identity", foldIdentity},
                {"Log", foldFunction<std::log>},
                {"Mod", foldRemainder},
                {"Mul", foldMultiply},
                {"Neg", foldNegate},
                {"Pow", foldPower},
                {"Reciprocal", foldReciprocal},
                {"Relu", foldRelu},
                {"Round", foldRound},
                {"Sigmoid", foldSigmoid},
                {"Sign", foldSign},
                {"Sin", foldFunction<std::sin>},
                {"Sinh", foldFunction<std::sinh>},
                {"Softplus", foldSoftplus},
                {"Sqrt", foldFunction<std::sqrt>},
                {"Sub", foldSubtract},
                {"Tan", foldFunction<std::tan>},
                {"Tanh", foldFunction<std::tanh>}});
}

}  // namespace ipusim::workloads
