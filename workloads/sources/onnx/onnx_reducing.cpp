// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "workloads/networks/operations/elementwise/elementwise.h"
#include "workloads/networks/operations/elementwise/number_operand.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/rows/reduction.h"
#include "workloads/networks/operations/shaping.h"
#include "workloads/sources/onnx/onnx_math.h"
#include "workloads/sources/onnx/onnx_taking.h"

namespace ipusim::workloads {

namespace {

using Results = std::vector<NetworkTensorId>;
using models::BinaryOp;

/// None where an operator without axes leaves its operand as it is.
std::optional<std::vector<std::size_t>> reducedAxesOf(const OnnxSite& site) {
  const std::size_t rank = site.shape(0).size();
  std::vector<std::size_t> axes;
  for (const std::int64_t axis : site.axes(1, "axes").value_or(std::vector<std::int64_t>())) {
    axes.push_back(onnxAxis(axis, rank));
  }
  if (axes.empty() && site.isSet("noop_with_empty_axes")) return std::nullopt;
  if (axes.empty()) {
    axes.resize(rank);
    std::iota(axes.begin(), axes.end(), 0U);
  }
  return axes;
}

ReducedAxes reducedForm(const OnnxSite& site) {
  return site.isSet("keepdims", true) ? ReducedAxes::Kept : ReducedAxes::Removed;
}

NetworkTensorId reduced(const OnnxSite& site, const std::string& part, ReductionFunction function,
                        NetworkTensorId x) {
  const auto axes = reducedAxesOf(site);
  return axes ? site.add(part, reduce(function, *axes, reducedForm(site)), {x}) : x;
}

template <ReductionFunction function>
Results addReduce(const OnnxSite& site) {
  const auto axes = reducedAxesOf(site);
  if (!axes) return {site.operand(0)};
  return {site.add(reduce(function, *axes, reducedForm(site)), {site.operand(0)})};
}

Results addSumOfSizes(const OnnxSite& site) {
  const NetworkTensorId x =
      OnnxMath(site).unary("absolute", UnaryFunction::Absolute, site.operand(0));
  return {reduced(site, "sum", ReductionFunction::Sum, x)};
}

Results addSumOfSquares(const OnnxSite& site) {
  const NetworkTensorId x = OnnxMath(site).square("square", site.operand(0));
  return {reduced(site, "sum", ReductionFunction::Sum, x)};
}

Results addLength(const OnnxSite& site) {
  return {OnnxMath(site).unary("root", UnaryFunction::SquareRoot, addSumOfSquares(site).front())};
}

Results addLogSum(const OnnxSite& site) {
  const NetworkTensorId sum = reduced(site, "sum", ReductionFunction::Sum, site.operand(0));
  return {OnnxMath(site).unary("logarithm", UnaryFunction::Logarithm, sum)};
}

/// max + log(sum(exp(x - max)))
Results addLogSumExp(const OnnxSite& site) {
  const OnnxMath math(site);
  const auto axes = reducedAxesOf(site);
  const NetworkTensorId x = site.operand(0);
  if (!axes) return {x};
  const NetworkTensorId most =
      site.add("most", reduce(ReductionFunction::Maximum, *axes, ReducedAxes::Kept), {x});
  const NetworkTensorId shifted = math.binary("shifted", BinaryOp::Subtract, x, most);
  const NetworkTensorId sum =
      site.add("sum", reduce(ReductionFunction::Sum, *axes, ReducedAxes::Kept),
               {math.unary("exponent", UnaryFunction::Exponent, shifted)});
  const NetworkTensorId whole =
      math.binary("", BinaryOp::Add, math.unary("logarithm", UnaryFunction::Logarithm, sum), most);
  if (reducedForm(site) == ReducedAxes::Kept) return {whole};
  Shape shape;
  for (std::size_t d = 0; d < site.shape(0).size(); ++d) {
    if (std::find(axes->begin(), axes->end(), d) == axes->end()) shape.push_back(site.shape(0)[d]);
  }
  return {site.shaped("shape", whole, shape)};
}

/// Products of the two halves of a dimension, until one element is left.
Results addProduct(const OnnxSite& site) {
  const auto axes = reducedAxesOf(site);
  NetworkTensorId x = site.operand(0);
  if (!axes) return {x};
  for (const std::size_t axis : *axes) {
    while (site.shapeOf(x)[axis] > 1) {
      const std::uint64_t size = site.shapeOf(x)[axis];
      const std::uint64_t half = size / 2;
      const NetworkTensorId low = site.add("low", slice({axis, 0, half}), {x});
      const NetworkTensorId high = site.add("high", slice({axis, half, 2 * half}), {x});
      NetworkTensorId product = site.add("product", binary(BinaryOp::Multiply), {low, high});
      if (2 * half < size) {
        const NetworkTensorId rest = site.add("rest", slice({axis, 2 * half, size}), {x});
        product = site.add("with_rest", concat(axis), {product, rest});
      }
      x = product;
    }
  }
  if (reducedForm(site) == ReducedAxes::Kept) return {x};
  Shape shape;
  for (std::size_t d = 0; d < site.shape(0).size(); ++d) {
    if (std::find(axes->begin(), axes->end(), d) == axes->end()) shape.push_back(site.shape(0)[d]);
  }
  return {site.shaped("shape", x, shape)};
}

/// The product with a triangle of ones, as the vendor's framework has it.
/// Source: graphcore/popart, willow/src/popx/op/cumsumx.cpp (MIT).
Results addRunningSum(const OnnxSite& site) {
  const std::size_t rank = site.shape(0).size();
  const std::size_t axis = onnxAxis(site.integers(1).at(0), rank);
  const std::uint64_t size = site.shape(0)[axis];
  const bool is_exclusive = site.isSet("exclusive");
  const bool is_reverse = site.isSet("reverse");
  TensorValues triangle;
  for (std::uint64_t from = 0; from < size; ++from) {
    for (std::uint64_t to = 0; to < size; ++to) {
      const bool is_before = is_reverse ? from > to : from < to;
      triangle.push_back(is_before || (from == to && !is_exclusive) ? 1 : 0);
    }
  }
  const NetworkTensorId x = site.operand(0);
  const ElementType type = site.typeOf(x);
  const bool is_real = type == ElementType::Float || type == ElementType::Half;
  const OnnxMath math(site);
  const ElementType product_type = is_real ? type : ElementType::Float;
  const NetworkTensorId last =
      axisMoved(site, "last", math.asNumber("numbers", x, product_type), axis, rank - 1);
  const NetworkTensorId ones =
      site.numbers("triangle", {{size, size}, product_type}, std::move(triangle));
  const NetworkTensorId rows = site.shaped("rows", last, {elementsOf(site.shape(0)) / size, size});
  const NetworkTensorId sums =
      site.shaped("sums", site.add(matmul(), {rows, ones}), site.shapeOf(last));
  return {math.asNumber("type", axisMoved(site, "back", sums, rank - 1, axis), type)};
}

/// Statistics over some dimensions, without scale and bias.
Results addMeanVarianceNorm(const OnnxSite& site) {
  constexpr double kEpsilon = 1e-9;
  const OnnxMath math(site);
  std::vector<std::size_t> axes;
  const auto given = site.integersOf("axes").value_or(std::vector<std::int64_t>{0, 2, 3});
  for (const std::int64_t axis : given) axes.push_back(onnxAxis(axis, site.shape(0).size()));
  const auto mean = [&](const char* part, NetworkTensorId x) {
    return site.add(part, reduce(ReductionFunction::Mean, axes, ReducedAxes::Kept), {x});
  };
  const NetworkTensorId x = site.operand(0);
  const NetworkTensorId centred = math.binary("centred", BinaryOp::Subtract, x, mean("mean", x));
  const NetworkTensorId deviation = math.unary("deviation", UnaryFunction::SquareRoot,
                                               mean("variance", math.square("square", centred)));
  return {math.binary("", BinaryOp::Divide, centred, math.plus("epsilon", deviation, kEpsilon))};
}

}  // namespace

const std::vector<OnnxOperator>& onnxReducing() {
  static const std::vector<OnnxOperator> kOperators{
      {"CumSum", addRunningSum},
      {"MeanVarianceNormalization", addMeanVarianceNorm},
      {"ReduceL1", addSumOfSizes},
      {"ReduceL2", addLength},
      {"ReduceLogSum", addLogSum},
      {"ReduceLogSumExp", addLogSumExp},
      {"ReduceMax", addReduce<ReductionFunction::Maximum>},
      {"ReduceMean", addReduce<ReductionFunction::Mean>},
      {"ReduceMin", addReduce<ReductionFunction::Minimum>},
      {"ReduceProd", addProduct},
      {"ReduceSum", addReduce<ReductionFunction::Sum>},
      {"ReduceSumSquare", addSumOfSquares},
  };
  return kOperators;
}

}  // namespace ipusim::workloads
