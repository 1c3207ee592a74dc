// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "workloads/networks/graph/rounding_probe.h"
#include "workloads/networks/operations/rows/normalisation.h"

// The numbers of norms and of their gradients: exact, and with the roundings of the steps on tiles
// (workloads/ops/norm).

namespace ipusim::workloads {

/// Which statistic and which element of the scale an element of x belongs to.
class NormIndex {
 public:
  NormIndex(const NormShape& norm, const Shape& x, const Shape& scale);

  [[nodiscard]] std::uint64_t statistics() const { return statistics_; }
  [[nodiscard]] std::uint64_t scaleOf(std::uint64_t element) const {
    return kind_ == NormKind::Layer ? element % inner_ : element / inner_ % channels_;
  }
  [[nodiscard]] std::uint64_t statisticOf(std::uint64_t element) const;

 private:
  void initLayer(const Shape& x, const Shape& scale);

  NormKind kind_;
  std::uint64_t inner_ = 1;  ///< elements of a channel of a sample, or of what is normalised
  std::uint64_t channels_ = 1;
  std::uint64_t group_ = 1;  ///< channels that share statistics
  std::uint64_t statistics_ = 1;
};

/// What becomes of a number that a step keeps: nothing, or what its type makes of it.
struct AsIs {
  double operator()(double value) const { return value; }
};
struct ToType {
  ElementType type;
  double operator()(double value) const { return roundedTo(type, value); }
};
struct ByProbe {
  RoundingProbe& probe;
  ElementType type;
  double operator()(double value) const { return probe(type, value); }
};

/// (y, mean, 1 / deviation) of (x, scale, bias).
std::vector<TensorValues> normOfExact(const NormShape& shape, const NumberedTensors& operands);

/// (y, mean, 1 / deviation) as tiles compute them. `round_float` is for statistics, and `round` for
/// what the steps keep of each element.
std::vector<TensorValues> normOfFloats(const NormShape& shape, const NumberedTensors& operands,
                                       const ToType& round_float, const ToType& round);
std::vector<TensorValues> normOfFloats(const NormShape& shape, const NumberedTensors& operands,
                                       const ByProbe& round_float, const ByProbe& round);

/// (dx, dscale, dbias) of (x, scale, mean, 1 / deviation, dy). `round` is for what the steps keep
/// of each element, and Sum adds up.
template <typename Sum, typename Round>
std::vector<TensorValues> normGradients(const NormShape& shape, const NumberedTensors& operands,
                                        const Round& round) {
  const NormIndex index(shape, operands[0].type.shape, operands[1].type.shape);
  const TensorValues& dy = operands[4].values;
  TensorValues whitened = operands[0].values;
  TensorValues dx = dy;
  std::vector<Sum> dscale(operands[1].values.size(), Sum(0));
  std::vector<Sum> dbias = dscale;
  std::vector<Sum> sums(index.statistics(), Sum(0));
  std::vector<Sum> products = sums;
  TensorValues mean = operands[2].values;
  TensorValues inverse = operands[3].values;
  for (double& value : mean) value = round(value);
  for (double& value : inverse) value = round(value);
  for (std::size_t e = 0; e < dy.size(); ++e) {
    const std::uint64_t s = index.statisticOf(e);
    const std::uint64_t c = index.scaleOf(e);
    whitened[e] = round(round(whitened[e] - mean[s]) * inverse[s]);
    dscale[c] += static_cast<Sum>(round(dy[e] * whitened[e]));
    dbias[c] += static_cast<Sum>(dy[e]);
    dx[e] = round(dy[e] * operands[1].values[c]);
    sums[s] += static_cast<Sum>(dx[e]);
    products[s] += static_cast<Sum>(round(dx[e] * whitened[e]));
  }
  const double count = static_cast<double>(dy.size()) / static_cast<double>(index.statistics());
  TensorValues mean_sum(sums.size());
  TensorValues mean_product(sums.size());
  for (std::size_t s = 0; s < sums.size(); ++s) {
    mean_sum[s] = round(static_cast<double>(sums[s]) / count);
    mean_product[s] = round(static_cast<double>(products[s]) / count);
  }
  for (std::size_t e = 0; e < dy.size(); ++e) {
    const std::uint64_t s = index.statisticOf(e);
    const double along = round(whitened[e] * mean_product[s]);
    dx[e] = round(round(dx[e] - mean_sum[s]) - along) * inverse[s];
  }
  return {std::move(dx), {dscale.begin(), dscale.end()}, {dbias.begin(), dbias.end()}};
}

}  // namespace ipusim::workloads
