// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "workloads/networks/graph/indexing.h"
#include "workloads/sources/onnx/constants/fold.h"

// Tensors made of a few numbers.

namespace ipusim::workloads {

namespace {

using Folded = std::vector<OnnxArray>;

Folded foldConstantOfShape(const FoldSite& site) {
  Shape shape;
  for (const std::int64_t size : site.operand(0).wholes()) shape.push_back(sizeOfDimension(size));
  expectFoldable(shape);
  OnnxArray fill = OnnxArray::zeros(onnx::TensorProto::FLOAT, {1});
  if (const onnx::AttributeProto* value = site.find("value")) {
    const std::optional<OnnxArray> given = arrayOf(value->t());
    if (!given || given->size() != 1) throw OperandError("a value of one element", "another one");
    fill = *given;
  }
  return {elementsAt(fill, shape, std::vector<std::size_t>(elementsOf(shape), 0))};
}

Folded foldRange(const FoldSite& site) {
  const OnnxArray& start = site.operand(0);
  const OnnxArray& limit = site.operand(1);
  const OnnxArray& delta = site.operand(2);
  if (delta.size() != 1 || delta.realAt(0) == 0) throw OperandError("a step other than 0", "0");
  double count = std::ceil((limit.realAt(0) - start.realAt(0)) / delta.realAt(0));
  if (!start.isReal()) {
    const std::int64_t step = delta.wholeAt(0);
    const std::int64_t length = limit.wholeAt(0) - start.wholeAt(0);
    count = static_cast<double>(length / step + (length % step != 0 && (length < 0) == (step < 0)));
  }
  if (!(count > 0)) count = 0;
  if (count > static_cast<double>(kMostFoldedElements)) {
    throw OperandError(fmt::format("a range of at most {} elements", kMostFoldedElements),
                       fmt::format("{}", count));
  }
  OnnxArray result = OnnxArray::zeros(start.type, {static_cast<std::uint64_t>(count)});
  for (std::size_t e = 0; e < result.size(); ++e) {
    if (result.isReal()) {
      result.real[e] =
          roundedToOnnx(result.type, start.real[0] + static_cast<double>(e) * delta.real[0]);
    } else {
      result.whole[e] = wrappedToOnnx(
          result.type, start.whole[0] + static_cast<std::int64_t>(e) * delta.whole[0]);
    }
  }
  return {std::move(result)};
}

/// Ones on a diagonal of a matrix of the operand's shape.
Folded foldEyeLike(const FoldSite& site) {
  const OnnxArray& like = site.operand(0);
  if (like.shape.size() != 2) throw OperandError("a matrix", textOf(like.shape));
  const auto type = static_cast<std::int32_t>(site.integer("dtype", like.type));
  const std::int64_t diagonal = site.integer("k", 0);
  OnnxArray result = OnnxArray::zeros(onnx::TensorProto::INT64, like.shape);
  for (std::uint64_t row = 0; row < like.shape[0]; ++row) {
    const std::int64_t column = static_cast<std::int64_t>(row) + diagonal;
    if (column < 0 || column >= static_cast<std::int64_t>(like.shape[1])) continue;
    result.whole[row * like.shape[1] + static_cast<std::uint64_t>(column)] = 1;
  }
  return {castArray(result, type)};
}

/// a - b cos(2 pi n / N) + c cos(4 pi n / N): the windows of signal processing.
Folded windowOf(const FoldSite& site, double a, double b, double c) {
  constexpr double kTwoPi = 6.283185307179586;
  const std::uint64_t size = sizeOfDimension(site.operand(0).wholeAt(0));
  expectFoldable({size});
  const double period = static_cast<double>(
      site.isSet("periodic", true) ? size : std::max<std::uint64_t>(size, 2) - 1);
  OnnxArray result = OnnxArray::zeros(onnx::TensorProto::DOUBLE, {size});
  for (std::size_t n = 0; n < size; ++n) {
    const double angle = kTwoPi * static_cast<double>(n) / period;
    result.real[n] = a - b * std::cos(angle) + c * std::cos(2 * angle);
  }
  return {castArray(result, static_cast<std::int32_t>(
                                site.integer("output_datatype", onnx::TensorProto::FLOAT)))};
}

Folded foldHannWindow(const FoldSite& site) {
  return windowOf(site, 0.5, 0.5, 0);
}
Folded foldHammingWindow(const FoldSite& site) {
  constexpr double kFirst = 25.0 / 46;
  return windowOf(site, kFirst, 1 - kFirst, 0);
}
Folded foldBlackmanWindow(const FoldSite& site) {
  return windowOf(site, 0.42, 0.5, 0.08);
}

}  // namespace

void addMakingFolds(FoldTable& table) {
  table.insert({{"BlackmanWindow", foldBlackmanWindow},
                {"ConstantOfShape", foldConstantOfShape},
                {"EyeLike", foldEyeLike},
                {"HammingWindow", foldHammingWindow},
                {"HannWindow", foldHannWindow},
                {"Range", foldRange}});
}

}  // namespace ipusim::workloads
