// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/rows/normalisation.h"
#include "workloads/networks/operations/rows/reduction.h"
#include "workloads/networks/operations/rows/softmax.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/sources/onnx/onnx_math.h"
#include "workloads/sources/onnx/onnx_taking.h"

// Operators of transformers, and norms that the first versions of ONNX did not have.

namespace ipusim::workloads {

namespace {

using Results = std::vector<NetworkTensorId>;
using models::BinaryOp;

/// x / sqrt(mean(x^2) + epsilon) * scale, over the dimensions from the axis on.
Results addRmsNorm(const OnnxSite& site) {
  const OnnxMath math(site);
  const Shape& shape = site.shape(0);
  std::vector<std::size_t> axes;
  for (std::size_t d = onnxAxis(site.integer("axis", -1), shape.size()); d < shape.size(); ++d) {
    axes.push_back(d);
  }
  const NetworkTensorId x = site.operand(0);
  const NetworkTensorId mean = site.add(
      "mean", reduce(ReductionFunction::Mean, axes, ReducedAxes::Kept), {math.square("square", x)});
  const NetworkTensorId root = math.unary("root", UnaryFunction::SquareRoot,
                                          math.plus("epsilon", mean, site.realOf("epsilon", 1e-5)));
  const NetworkTensorId normal = math.binary("normal", BinaryOp::Divide, x, root);
  return {math.binary("", BinaryOp::Multiply, normal, site.operand(1))};
}

/// Scale and bias are of channels from opset 21 on, and of groups before that.
Results addGroupNorm(const OnnxSite& site) {
  const Shape& shape = site.shape(0);
  const std::int64_t groups = site.integer("num_groups", 1);
  if (shape.size() < 3) throw OperandError("a tensor (batch, channels, field...)", textOf(shape));
  if (groups < 1 || shape[1] % static_cast<std::uint64_t>(groups) != 0) {
    throw OperandError(fmt::format("groups that divide {} channels", shape[1]),
                       fmt::format("{}", groups));
  }
  const auto count = static_cast<std::uint64_t>(groups);
  const auto of_channels = [&](std::size_t operand, const char* part) {
    const NetworkTensorId x = site.operand(operand);
    if (site.shape(operand) == Shape{shape[1]}) return x;
    const std::uint64_t size = shape[1] / count;
    const NetworkTensorId wide =
        site.add(part, broadcastTo({count, size}), {site.shaped(part, x, {count, 1})});
    return site.shaped(part, wide, {shape[1]});
  };
  const NormShape norm{NormKind::Group, count, site.realOf("epsilon", 1e-5)};
  return {site.addNode(normalisation(norm),
                       {site.operand(0), of_channels(1, "scale"), of_channels(2, "bias")})
              .front()};
}

/// x / (sum of |x|^p)^(1/p), for p 1 and 2.
Results addLpNorm(const OnnxSite& site) {
  const OnnxMath math(site);
  const std::int64_t power = site.integer("p", 2);
  if (power != 1 && power != 2) throw OperandError("p 1 or 2", fmt::format("{}", power));
  const std::size_t axis = onnxAxis(site.integer("axis", -1), site.shape(0).size());
  const NetworkTensorId x = site.operand(0);
  const NetworkTensorId raised =
      power == 2 ? math.square("square", x) : math.unary("absolute", UnaryFunction::Absolute, x);
  NetworkTensorId size =
      site.add("sum", reduce(ReductionFunction::Sum, {axis}, ReducedAxes::Kept), {raised});
  if (power == 2) size = math.unary("root", UnaryFunction::SquareRoot, size);
  return {math.binary("", BinaryOp::Divide, x, size)};
}

/// The heads of an operand (batch, heads, sequence, size), or of one (batch, sequence, heads size).
NetworkTensorId headsOf(const OnnxSite& site, std::size_t operand, const char* heads,
                        const std::string& part) {
  const Shape& shape = site.shape(operand);
  const NetworkTensorId x = site.operand(operand);
  if (shape.size() == 4) return x;
  const std::int64_t count = site.integer(heads, 0);
  if (shape.size() != 3 || count < 1 || shape[2] % static_cast<std::uint64_t>(count) != 0) {
    throw OperandError(fmt::format("four dimensions, or three and {}", heads), textOf(shape));
  }
  const auto h = static_cast<std::uint64_t>(count);
  return site.add(part, transpose({0, 2, 1, 3}),
                  {site.shaped(part, x, {shape[0], shape[1], h, shape[2] / h})});
}

/// Heads of keys and values, each for several heads of queries.
NetworkTensorId repeatedHeads(const OnnxSite& site, NetworkTensorId x, std::uint64_t heads,
                              const std::string& part) {
  const Shape shape = site.shapeOf(x);
  if (shape[1] == heads) return x;
  if (heads % shape[1] != 0) {
    throw OperandError(fmt::format("heads that divide {}", heads), fmt::format("{}", shape[1]));
  }
  const std::uint64_t times = heads / shape[1];
  const NetworkTensorId apart = site.shaped(part, x, {shape[0], shape[1], 1, shape[2], shape[3]});
  const NetworkTensorId wide =
      site.add(part, broadcastTo({shape[0], shape[1], times, shape[2], shape[3]}), {apart});
  return site.shaped(part, wide, {shape[0], heads, shape[2], shape[3]});
}

constexpr double kMasked = -10000;

/// The scores with the mask of the node, and without those of later keys where it is causal.
NetworkTensorId maskedScores(const OnnxSite& site, NetworkTensorId scores) {
  const OnnxMath math(site);
  const ElementType type = site.typeOf(scores);
  if (site.has(3)) {
    NetworkTensorId mask = site.operand(3);
    if (site.typeOf(mask) == ElementType::Bool) {
      mask = math.times("masked", math.plus("mask_less_one", math.asNumber("mask", mask, type), -1),
                        -kMasked);
    }
    scores = math.binary("masked_scores", BinaryOp::Add, scores, mask);
  }
  if (!site.isSet("is_causal")) return scores;
  const Shape& shape = site.shapeOf(scores);
  TensorValues mask;
  for (std::uint64_t row = 0; row < shape[2]; ++row) {
    for (std::uint64_t column = 0; column < shape[3]; ++column) {
      mask.push_back(column > row ? kMasked : 0);
    }
  }
  return math.binary("causal", BinaryOp::Add, scores,
                     site.numbers("causal_mask", {{shape[2], shape[3]}, type}, std::move(mask)));
}

/// softmax(Q K^T scale + mask) V
Results addAttention(const OnnxSite& site) {
  if (site.has(4) || site.has(5) || site.has(6)) {
    throw OperandError("no keys and values of earlier calls", "some");
  }
  if (site.hasResult(1) || site.hasResult(2) || site.hasResult(3)) {
    throw OperandError("the result of attention alone", "more results");
  }
  const OnnxMath math(site);
  const NetworkTensorId q = headsOf(site, 0, "q_num_heads", "queries");
  const Shape query = site.shapeOf(q);
  const NetworkTensorId k =
      repeatedHeads(site, headsOf(site, 1, "kv_num_heads", "keys"), query[1], "key_heads");
  const NetworkTensorId v =
      repeatedHeads(site, headsOf(site, 2, "kv_num_heads", "values"), query[1], "value_heads");
  const double factor = site.realOf("scale", 1 / std::sqrt(static_cast<double>(query[3])));
  NetworkTensorId scores = math.times(
      "scale",
      site.add("scores", matmul({ProductOperand::Plain, ProductOperand::Transposed}), {q, k}),
      factor);
  if (const double cap = site.realOf("softcap", 0); cap > 0) {
    scores = math.times(
        "cap", math.unary("bent", UnaryFunction::Tanh, math.times("capped", scores, 1 / cap)), cap);
  }
  const NetworkTensorId shares = site.add("softmax", softmax(3), {maskedScores(site, scores)});
  NetworkTensorId y = site.add("", matmul(), {shares, v});
  if (site.shape(0).size() == 3) {
    const Shape heads = site.shapeOf(y);
    y = site.shaped("joined", site.add("order", transpose({0, 2, 1, 3}), {y}),
                    {heads[0], heads[2], heads[1] * heads[3]});
  }
  return {y};
}

/// (a cos - b sin, a sin + b cos), of the halves a and b of the rotated part of each head.
Results addRotaryEmbedding(const OnnxSite& site) {
  const OnnxMath math(site);
  if (site.isSet("interleaved")) throw OperandError("interleaved 0", "1");
  if (site.shape(0).size() == 3 && site.integer("num_heads", 0) == 0) {
    throw OperandError("num_heads beside three dimensions", "none");
  }
  const NetworkTensorId x = headsOf(site, 0, "num_heads", "heads");
  const Shape shape = site.shapeOf(x);
  const auto asked = static_cast<std::uint64_t>(site.integer("rotary_embedding_dim", 0));
  const std::uint64_t width = asked == 0 ? shape[3] : asked;
  if (width % 2 != 0 || width > shape[3]) {
    throw OperandError(fmt::format("an even part of {}", shape[3]), fmt::format("{}", width));
  }
  const auto angles = [&](std::size_t operand, const char* part) {
    NetworkTensorId table = site.operand(operand);
    if (site.has(3)) table = lookedUp(site, part, table, site.operand(3));
    return site.shaped(part, table, {shape[0], 1, shape[2], width / 2});
  };
  const NetworkTensorId cosine = angles(1, "cosine");
  const NetworkTensorId sine = angles(2, "sine");
  const NetworkTensorId a = site.add("first", slice({3, 0, width / 2}), {x});
  const NetworkTensorId b = site.add("second", slice({3, width / 2, width}), {x});
  const auto product = [&](const char* part, NetworkTensorId left, NetworkTensorId right) {
    return math.binary(part, BinaryOp::Multiply, left, right);
  };
  std::vector<NetworkTensorId> parts{
      math.binary("real", BinaryOp::Subtract, product("a_cos", a, cosine),
                  product("b_sin", b, sine)),
      math.binary("imaginary", BinaryOp::Add, product("a_sin", a, sine),
                  product("b_cos", b, cosine))};
  if (width < shape[3]) parts.push_back(site.add("rest", slice({3, width, shape[3]}), {x}));
  NetworkTensorId y = site.add("", concat(3), parts);
  if (site.shape(0).size() == 3) {
    y = site.shaped("joined", site.add("order", transpose({0, 2, 1, 3}), {y}), site.shape(0));
  }
  return {y};
}

/// What a node of a discrete Fourier transform asks for.
struct Transform {
  std::size_t axis;
  std::uint64_t size;   ///< of the transform
  std::uint64_t used;   ///< elements of the operand that it reads
  std::uint64_t found;  ///< elements of the result
  bool is_inverse;
};

Transform transformOf(const OnnxSite& site) {
  const Shape& shape = site.shape(0);
  const std::size_t rank = shape.size();
  if (rank < 2 || shape.back() > 2) {
    throw OperandError("a last dimension of 1 or 2", textOf(shape));
  }
  const std::int64_t given =
      site.has(2) ? site.integers(2).at(0) : site.integer("axis", site.opset() < 20 ? 1 : -2);
  const std::size_t axis = onnxAxis(given, rank);
  const std::uint64_t size =
      site.has(1) ? static_cast<std::uint64_t>(site.integers(1).at(0)) : shape[axis];
  const bool is_inverse = site.isSet("inverse");
  const bool is_onesided = site.isSet("onesided");
  if (axis + 1 == rank || (is_inverse && is_onesided)) {
    throw OperandError("a transform along another dimension than the last", "another one");
  }
  return {axis, size, std::min(size, shape[axis]), is_onesided ? size / 2 + 1 : size, is_inverse};
}

/// The values of `function` at the angles of a transform, (used, found), times `sign`.
NetworkTensorId twiddles(const OnnxSite& site, const Transform& transform, const char* part,
                         double (*function)(double), double sign) {
  constexpr double kTwoPi = 6.283185307179586;
  const auto size = static_cast<double>(transform.size);
  const double factor = transform.is_inverse ? 1 / size : 1;
  TensorValues values;
  for (std::uint64_t n = 0; n < transform.used; ++n) {
    for (std::uint64_t k = 0; k < transform.found; ++k) {
      const double angle = kTwoPi * static_cast<double>(n * k % transform.size) / size;
      values.push_back(sign * factor * function(angle));
    }
  }
  return site.numbers(part, {{transform.used, transform.found}, site.typeOf(site.operand(0))},
                      std::move(values));
}

/// A discrete Fourier transform as products with the tables of cosines and sines. Complex numbers
/// are a last dimension of 2.
Results addFourier(const OnnxSite& site) {
  const OnnxMath math(site);
  const Transform transform = transformOf(site);
  const Shape& shape = site.shape(0);
  const std::size_t axis = transform.axis;
  const std::uint64_t used = transform.used;
  const NetworkTensorId cosines = twiddles(site, transform, "cosines", std::cos, 1);
  const NetworkTensorId sines =
      twiddles(site, transform, "sines", std::sin, transform.is_inverse ? 1 : -1);
  NetworkTensorId cut = site.operand(0);
  if (used < shape[axis]) cut = site.add("cut", slice({axis, 0, used}), {cut});
  const NetworkTensorId last = axisMoved(site, "last", cut, axis, shape.size() - 1);
  // (..., 1 or 2, n)
  const std::size_t parts_axis = shape.size() - 2;
  const auto part_of = [&](const char* part, std::uint64_t which) {
    const NetworkTensorId one =
        shape.back() == 1 ? last : site.add(part, slice({parts_axis, which, which + 1}), {last});
    return site.shaped(part, one, {elementsOf(site.shapeOf(one)) / used, used});
  };
  const auto product = [&](const char* part, NetworkTensorId rows, NetworkTensorId matrix) {
    return site.add(part, matmul(), {rows, matrix});
  };
  const NetworkTensorId real = part_of("real", 0);
  NetworkTensorId result_real = product("real_cosines", real, cosines);
  NetworkTensorId result_imaginary = product("real_sines", real, sines);
  if (shape.back() == 2) {
    const NetworkTensorId imaginary = part_of("imaginary", 1);
    result_real = math.binary("real_sum", BinaryOp::Subtract, result_real,
                              product("imaginary_sines", imaginary, sines));
    result_imaginary = math.binary("imaginary_sum", BinaryOp::Add, result_imaginary,
                                   product("imaginary_cosines", imaginary, cosines));
  }
  Shape one = site.shapeOf(last);
  one[parts_axis] = 1;
  one.back() = transform.found;
  const NetworkTensorId joined = site.add("joined", concat(parts_axis),
                                          {site.shaped("real_part", result_real, one),
                                           site.shaped("imaginary_part", result_imaginary, one)});
  return {axisMoved(site, "", joined, shape.size() - 1, axis)};
}

}  // namespace

const std::vector<OnnxOperator>& onnxAttention() {
  static const std::vector<OnnxOperator> kOperators{
      {"Attention", addAttention},          {"DFT", addFourier},
      {"GroupNormalization", addGroupNorm}, {"LpNormalization", addLpNorm},
      {"RMSNormalization", addRmsNorm},     {"RotaryEmbedding", addRotaryEmbedding},
  };
  return kOperators;
}

}  // namespace ipusim::workloads
