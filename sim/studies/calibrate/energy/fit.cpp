// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/calibrate/energy/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "ipusim/error.h"
#include "models/ipu/energy/quantile.h"
#include "sim/studies/calibrate/energy/sample.h"

namespace ipusim::calibrate {

using energy::Shape;

namespace {

using Column = std::vector<double>;

/// Fewer draws that count leave the quantiles to chance.
constexpr double kFewestEffective = 1000;
/// A row identifies a constant whose posterior is wider by this factor without it.
constexpr double kWider = 1.05;

double squaredError(double predicted, double published, double error) {
  const double off = std::log(predicted / published) / error;
  return off * off;
}

/// Squared distance beyond a limit, in its own errors.
double beyond(const PowerLimit& limit, double watts) {
  double off = 0;
  if (watts > limit.most_watts) off = (watts / limit.most_watts - 1) / limit.softness;
  if (watts < limit.least_watts) off = (1 - watts / limit.least_watts) / limit.softness;
  return off * off;
}

class Weights {
 public:
  Weights(const EnergyCalibration& calibration, const EnergySample& sample)
      : calibration_(calibration), sample_(sample), draws_(calibration.draws) {}

  /// The weights by all rows that count, without one row if there is such.
  [[nodiscard]] Column without(std::optional<std::size_t> left_out) const {
    Column weights(draws_);
    for (std::size_t d = 0; d < draws_; ++d) weights[d] = std::exp(-squares(d, left_out) / 2);
    return weights;
  }

 private:
  [[nodiscard]] double squares(std::size_t draw, std::optional<std::size_t> left_out) const {
    double sum = 0;
    for (std::size_t r = 0; r < calibration_.rows.size(); ++r) {
      const PowerRow& row = calibration_.rows[r];
      if (!row.error || r == left_out) continue;
      sum += squaredError(sample_.rows[r][draw], row.published, *row.error);
    }
    for (std::size_t l = 0; l < calibration_.limits.size(); ++l) {
      sum += beyond(calibration_.limits[l], sample_.limits[l][draw]);
    }
    return sum;
  }

  const EnergyCalibration& calibration_;
  const EnergySample& sample_;
  std::size_t draws_;
};

/// Quantiles of a column under weights. The column's order is made once.
class WeightedColumn {
 public:
  explicit WeightedColumn(const Column& column) : column_(column), order_(orderOf(column)) {}

  [[nodiscard]] Quantiles under(const Column& weights) const {
    double all = 0;
    for (const double weight : weights) all += weight;
    return {at(weights, energy::kLowShare * all), at(weights, all / 2),
            at(weights, energy::kHighShare * all)};
  }

 private:
  [[nodiscard]] double at(const Column& weights, double wanted) const {
    double sum = 0;
    for (const std::size_t d : order_) {
      sum += weights[d];
      if (sum >= wanted) return column_[d];
    }
    return column_[order_.back()];
  }

  const Column& column_;
  std::vector<std::size_t> order_;
};

double widthOf(const Quantiles& quantiles, Shape shape) {
  return shape == Shape::Normal ? quantiles.high - quantiles.low
                                : std::log(quantiles.high / quantiles.low);
}

double effectiveDraws(const Column& weights) {
  double sum = 0;
  double squares = 0;
  for (const double weight : weights) {
    sum += weight;
    squares += weight * weight;
  }
  return squares > 0 ? sum * sum / squares : 0;
}

/// The correlation of two columns under weights; lognormal ones by their logarithms.
double correlationOf(Column one, Column other, const Column& weights) {
  double all = 0;
  for (const double weight : weights) all += weight;
  const auto centre = [&](Column& column) {
    double mean = 0;
    for (std::size_t d = 0; d < column.size(); ++d) mean += weights[d] * column[d] / all;
    for (double& value : column) value -= mean;
  };
  centre(one);
  centre(other);
  double product = 0;
  double ones = 0;
  double others = 0;
  for (std::size_t d = 0; d < one.size(); ++d) {
    product += weights[d] * one[d] * other[d];
    ones += weights[d] * one[d] * one[d];
    others += weights[d] * other[d] * other[d];
  }
  return product / std::sqrt(ones * others);
}

Column scaled(const Column& column, Shape shape) {
  Column scaled = column;
  if (shape == Shape::Lognormal) {
    for (double& value : scaled) value = std::log(value);
  }
  return scaled;
}

void addCorrelations(const EnergyCalibration& calibration, const EnergySample& sample,
                     const Column& weights, EnergyFit& fit) {
  const auto column = [&](energy::Constant constant) {
    return scaled(sample.constants[static_cast<std::size_t>(constant)],
                  calibration.priors.of(constant).shape);
  };
  std::vector<energy::Constant> fitted;
  for (const energy::Constant constant : energy::allConstants()) {
    if (!fit.constants[static_cast<std::size_t>(constant)].isIdentified()) continue;
    for (const energy::Constant earlier : fitted) {
      fit.correlations.push_back(
          {constant, earlier, correlationOf(column(constant), column(earlier), weights)});
    }
    fitted.push_back(constant);
  }
}

/// Weights by all rows, and without each that counts.
struct AllWeights {
  Column all;
  std::vector<Column> without;  ///< one entry per row; empty for a row that does not count
};

AllWeights allWeights(const EnergyCalibration& calibration, const EnergySample& sample) {
  const Weights by_rows(calibration, sample);
  AllWeights weights{by_rows.without(std::nullopt), {}};
  for (std::size_t r = 0; r < calibration.rows.size(); ++r) {
    weights.without.push_back(calibration.rows[r].error ? by_rows.without(r) : Column());
  }
  return weights;
}

FittedBand fittedBand(const EnergyCalibration& calibration, const Column& drawn, Shape shape,
                      const AllWeights& weights) {
  const WeightedColumn column(drawn);
  FittedBand band;
  band.prior = column.under(Column(drawn.size(), 1.0));
  band.posterior = column.under(weights.all);
  const double width = widthOf(band.posterior, shape);
  band.narrowing = width / widthOf(band.prior, shape);
  if (!band.isIdentified()) return band;
  for (std::size_t r = 0; r < weights.without.size(); ++r) {
    if (weights.without[r].empty()) continue;
    if (widthOf(column.under(weights.without[r]), shape) > kWider * width) {
      band.by.push_back(calibration.rows[r].id);
    }
  }
  return band;
}

PredictedRow predictedRow(const PowerLoad& load, const Column& drawn, const Column& all,
                          const Column& without) {
  PredictedRow row{energy::whyUnpriced(load.machine.ipu), {}, {}};
  if (!row.why_not.empty()) return row;
  const WeightedColumn column(drawn);
  row.predicted = column.under(all);
  if (!without.empty()) row.left_out = column.under(without);
  return row;
}

}  // namespace

EnergyFit fitEnergy(const EnergyCalibration& calibration) {
  const EnergySample sample = sampleOf(calibration);
  const AllWeights weights = allWeights(calibration, sample);
  EnergyFit fit;
  fit.effective_draws = effectiveDraws(weights.all);
  if (fit.effective_draws < kFewestEffective) {
    throw ConfigError(fmt::format("rows: wanted {} draws that meet them, found {:.0f}",
                                  kFewestEffective, fit.effective_draws));
  }
  for (std::size_t c = 0; c < energy::kConstants; ++c) {
    fit.constants[c] =
        fittedBand(calibration, sample.constants[c], calibration.priors.bands[c].shape, weights);
  }
  for (std::size_t r = 0; r < calibration.rows.size(); ++r) {
    fit.rows.push_back(predictedRow(calibration.loads[calibration.rows[r].load], sample.rows[r],
                                    weights.all, weights.without[r]));
  }
  for (const Column& column : sample.limits) {
    fit.limits.push_back(WeightedColumn(column).under(weights.all));
  }
  addCorrelations(calibration, sample, weights.all, fit);
  return fit;
}

}  // namespace ipusim::calibrate
