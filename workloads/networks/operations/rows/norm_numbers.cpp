// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/operations/rows/norm_numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "workloads/networks/graph/tile_sum.h"

namespace ipusim::workloads {

namespace {

double countOf(const NormIndex& index, const TensorValues& x) {
  return static_cast<double>(x.size()) / static_cast<double>(index.statistics());
}

template <typename Sum>
TensorValues meansIn(const NormIndex& index, const TensorValues& x) {
  std::vector<Sum> sums(index.statistics(), Sum(0));
  for (std::size_t e = 0; e < x.size(); ++e) {
    sums[index.statisticOf(e)] += static_cast<Sum>(x[e]);
  }
  TensorValues means(sums.size());
  std::transform(sums.begin(), sums.end(), means.begin(),
                 [&](const Sum& sum) { return static_cast<double>(sum) / countOf(index, x); });
  return means;
}

struct Moments {
  TensorValues mean;
  TensorValues variance;
};

template <typename Round>
std::vector<TensorValues> normalised(const NormShape& shape, const NumberedTensors& operands,
                                     Moments moments, const Round& round) {
  const NormIndex index(shape, operands[0].type.shape, operands[1].type.shape);
  TensorValues inverse = std::move(moments.variance);
  for (double& value : inverse) value = 1 / std::sqrt(value + shape.epsilon);
  TensorValues kept_mean = moments.mean;
  TensorValues kept_inverse = inverse;
  for (double& value : kept_mean) value = round(value);
  for (double& value : kept_inverse) value = round(value);
  TensorValues y = operands[0].values;
  for (std::size_t e = 0; e < y.size(); ++e) {
    const std::uint64_t s = index.statisticOf(e);
    const std::uint64_t c = index.scaleOf(e);
    const double whitened = round(round(y[e] - kept_mean[s]) * kept_inverse[s]);
    y[e] = round(whitened * operands[1].values[c]) + operands[2].values[c];
  }
  return {std::move(y), std::move(moments.mean), std::move(inverse)};
}

template <typename Round>
std::vector<TensorValues> normOnTiles(const NormShape& shape, const NumberedTensors& operands,
                                      const Round& round_float, const Round& round) {
  const NormIndex index(shape, operands[0].type.shape, operands[1].type.shape);
  TensorValues squares = operands[0].values;
  for (double& value : squares) value *= value;
  Moments moments{meansIn<TileSum>(index, operands[0].values), meansIn<TileSum>(index, squares)};
  for (std::size_t s = 0; s < moments.mean.size(); ++s) {
    moments.mean[s] = round_float(moments.mean[s]);
    const double power = round_float(moments.variance[s]);
    moments.variance[s] = std::max(0.0, power - moments.mean[s] * moments.mean[s]);
  }
  return normalised(shape, operands, std::move(moments), round);
}

}  // namespace

NormIndex::NormIndex(const NormShape& norm, const Shape& x, const Shape& scale) : kind_(norm.kind) {
  if (kind_ == NormKind::Layer) {
    initLayer(x, scale);
    return;
  }
  if (x.size() < 2 || scale != Shape{x[1]}) {
    throw OperandError("a scale and a bias of one element per channel",
                       textOf(x) + " and " + textOf(scale));
  }
  channels_ = x[1];
  inner_ = elementsOf(x) / (x[0] * x[1]);
  if (norm.groups == 0 || channels_ % norm.groups != 0) {
    throw OperandError(fmt::format("channels that {} groups share evenly", norm.groups),
                       fmt::format("{}", channels_));
  }
  group_ = channels_ / norm.groups;
  statistics_ = kind_ == NormKind::Batch ? channels_ : x[0] * norm.groups;
}

void NormIndex::initLayer(const Shape& x, const Shape& scale) {
  const bool is_tail = !scale.empty() && scale.size() <= x.size() &&
                       Shape(x.end() - static_cast<std::ptrdiff_t>(scale.size()), x.end()) == scale;
  if (!is_tail) {
    throw OperandError("a scale and a bias with the last dimensions of x",
                       textOf(x) + " and " + textOf(scale));
  }
  inner_ = elementsOf(scale);
  statistics_ = elementsOf(x) / inner_;
}

std::uint64_t NormIndex::statisticOf(std::uint64_t element) const {
  switch (kind_) {
    case NormKind::Batch:
      return element / inner_ % channels_;
    case NormKind::Group:
      return element / inner_ / group_;
    case NormKind::Layer:
      break;
  }
  return element / inner_;
}

std::vector<TensorValues> normOfExact(const NormShape& shape, const NumberedTensors& operands) {
  const NormIndex index(shape, operands[0].type.shape, operands[1].type.shape);
  const TensorValues& x = operands[0].values;
  Moments moments{meansIn<double>(index, x), TensorValues(index.statistics(), 0)};
  const double count = countOf(index, x);
  for (std::size_t e = 0; e < x.size(); ++e) {
    const std::uint64_t s = index.statisticOf(e);
    const double difference = x[e] - moments.mean[s];
    moments.variance[s] += difference * difference / count;
  }
  return normalised(shape, operands, std::move(moments), AsIs());
}

std::vector<TensorValues> normOfFloats(const NormShape& shape, const NumberedTensors& operands,
                                       const ToType& round_float, const ToType& round) {
  return normOnTiles(shape, operands, round_float, round);
}

std::vector<TensorValues> normOfFloats(const NormShape& shape, const NumberedTensors& operands,
                                       const ByProbe& round_float, const ByProbe& round) {
  return normOnTiles(shape, operands, round_float, round);
}

}  // namespace ipusim::workloads
