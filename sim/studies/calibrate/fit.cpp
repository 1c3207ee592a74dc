// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/calibrate/fit.h"

#include <ceres/ceres.h>
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include "ipusim/error.h"

namespace ipusim::calibrate {

using Values = std::vector<double>;

namespace {

/// A residual beyond this many standard errors counts less than its square.
constexpr double kHuberWidth = 2;
/// To test whether a row depends on a constant, the constant moves by the share kProbe. The row
/// depends on it when its prediction moves by more than kMoved.
constexpr double kProbe = 0.1;
constexpr double kMoved = 1e-9;
/// Half the width of a difference quotient. Whole constants take larger steps than their grain.
constexpr double kFineStep = 1e-3;
constexpr double kWholeStep = 0.02;
/// Whole constants above this value are treated as real ones.
constexpr double kFineGrain = 1000;
constexpr double kTolerance = 1e-7;
constexpr double kWholeTolerance = 1e-5;
constexpr double kSingular = 1e-6;
constexpr int kMostRounds = 6;
/// The last round is one that moves every constant by less than this share.
constexpr double kStill = 1e-4;

/// Predicts between whole numbers on a straight line between the neighbours, so that there are
/// slopes.
double smooth(const Calibration& calibration, const Predict& predict, std::size_t row,
              Values& values, std::size_t from = 0) {
  for (std::size_t c = from; c < values.size(); ++c) {
    const double value = values[c];
    const double below = std::floor(value);
    if (!calibration.constants[c].whole || value > kFineGrain || below == value) continue;
    values[c] = below;
    const double low = smooth(calibration, predict, row, values, c + 1);
    values[c] = below + 1;
    const double high = smooth(calibration, predict, row, values, c + 1);
    values[c] = value;
    return low + (value - below) * (high - low);
  }
  return predict(row, values);
}

/// The residual of one row as a function of the logarithms of the constants that it depends on.
class RowResidual : public ceres::CostFunction {
 public:
  RowResidual(const Calibration& calibration, const Predict& predict, std::size_t row,
              std::vector<std::size_t> constants)
      : calibration_(calibration), predict_(predict), row_(row), constants_(std::move(constants)) {
    set_num_residuals(1);
    mutable_parameter_block_sizes()->assign(constants_.size(), 1);
  }

  bool Evaluate(double const* const* logs, double* residuals, double** jacobians) const override {
    Values at(constants_.size());
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = *logs[i];
    residuals[0] = residual(at);
    if (jacobians == nullptr) return true;
    for (std::size_t i = 0; i < at.size(); ++i) {
      if (jacobians[i] != nullptr) jacobians[i][0] = slope(at, i);
    }
    return true;
  }

 private:
  [[nodiscard]] double residual(const Values& logs) const {
    Values values;
    for (const FreeConstant& constant : calibration_.constants) values.push_back(constant.start);
    for (std::size_t i = 0; i < logs.size(); ++i) values[constants_[i]] = std::exp(logs[i]);
    const FitRow& row = calibration_.rows[row_];
    const double predicted = smooth(calibration_, predict_, row_, values);
    return std::log(predicted / row.measurement.value) / (row.error_percent / 100);
  }

  /// A difference quotient that stays within the bounds.
  [[nodiscard]] double slope(Values logs, std::size_t i) const {
    const FreeConstant& constant = calibration_.constants[constants_[i]];
    const double step = constant.whole ? kWholeStep : kFineStep;
    const double high = std::min(logs[i] + step, std::log(constant.high));
    const double low = std::max(logs[i] - step, std::log(constant.low));
    logs[i] = high;
    const double above = residual(logs);
    logs[i] = low;
    return (above - residual(logs)) / (high - low);
  }

  const Calibration& calibration_;
  const Predict& predict_;
  std::size_t row_;
  std::vector<std::size_t> constants_;
};

/// The indices of the constants that a row depends on.
std::vector<std::size_t> constantsOf(const Calibration& calibration, const Predict& predict,
                                     std::size_t row) {
  Values values;
  for (const FreeConstant& constant : calibration.constants) values.push_back(constant.start);
  const double usual = predict(row, values);
  std::vector<std::size_t> found;
  for (std::size_t c = 0; c < values.size(); ++c) {
    const FreeConstant& constant = calibration.constants[c];
    const double up = constant.start * (1 + kProbe);
    values[c] = up <= constant.high ? up : constant.start * (1 - kProbe);
    if (std::abs(predict(row, values) / usual - 1) > kMoved) found.push_back(c);
    values[c] = constant.start;
  }
  return found;
}

/// A problem of Ceres, with the logarithms that it varies.
class Problem {
 public:
  Problem(const Calibration& calibration, const Predict& predict,
          const std::vector<std::size_t>& rows)
      : calibration_(calibration), logs_(calibration.constants.size()) {
    for (std::size_t c = 0; c < logs_.size(); ++c) addConstant(c);
    for (const std::size_t row : rows) {
      std::vector<std::size_t> constants = constantsOf(calibration, predict, row);
      std::vector<double*> blocks;
      blocks.reserve(constants.size());
      for (const std::size_t c : constants) blocks.push_back(&logs_[c]);
      if (blocks.empty()) continue;
      problem_.AddResidualBlock(new RowResidual(calibration, predict, row, std::move(constants)),
                                new ceres::HuberLoss(kHuberWidth), blocks);
    }
  }

  void solve() {
    ceres::Solver::Options options;
    options.linear_solver_type = ceres::DENSE_QR;
    options.logging_type = ceres::SILENT;
    options.parameter_tolerance = hasWhole() ? kWholeTolerance : kTolerance;
    options.function_tolerance = 0;
    ceres::Solver::Summary summary;
    ceres::Solve(options, &problem_, &summary);
    check(summary.IsSolutionUsable(), "a calibration has a solution");
  }

  [[nodiscard]] std::optional<Eigen::MatrixXd> covariance() {
    const Eigen::MatrixXd slopes = jacobian();
    if (slopes.rows() < slopes.cols()) return std::nullopt;
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr;
    qr.setThreshold(kSingular);
    qr.compute(slopes);
    if (qr.rank() < slopes.cols()) return std::nullopt;
    ceres::Covariance::Options options;
    options.algorithm_type = ceres::DENSE_SVD;
    ceres::Covariance of_ceres(options);
    const std::vector<const double*> blocks = pointers();
    check(of_ceres.Compute(blocks, &problem_), "a problem of full rank has a covariance");
    Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> square(slopes.cols(),
                                                                                  slopes.cols());
    of_ceres.GetCovarianceMatrix(blocks, square.data());
    return square * std::max(1.0, excess());
  }

  [[nodiscard]] Values values() const {
    Values values;
    for (const double one : logs_) values.push_back(std::exp(one));
    return values;
  }

 private:
  void addConstant(std::size_t c) {
    const FreeConstant& constant = calibration_.constants[c];
    logs_[c] = std::log(constant.start);
    problem_.AddParameterBlock(&logs_[c], 1);
    problem_.SetParameterLowerBound(&logs_[c], 0, std::log(constant.low));
    problem_.SetParameterUpperBound(&logs_[c], 0, std::log(constant.high));
  }

  [[nodiscard]] bool hasWhole() const {
    return std::any_of(calibration_.constants.begin(), calibration_.constants.end(),
                       [](const FreeConstant& constant) { return constant.whole; });
  }

  [[nodiscard]] std::vector<const double*> pointers() const {
    std::vector<const double*> blocks;
    for (const double& one : logs_) blocks.push_back(&one);
    return blocks;
  }

  [[nodiscard]] Eigen::MatrixXd jacobian() {
    ceres::Problem::EvaluateOptions options;
    for (double& one : logs_) options.parameter_blocks.push_back(&one);
    ceres::CRSMatrix sparse;
    problem_.Evaluate(options, nullptr, nullptr, nullptr, &sparse);
    Eigen::MatrixXd dense =
        Eigen::MatrixXd::Zero(sparse.num_rows, static_cast<Eigen::Index>(logs_.size()));
    for (int row = 0; row < sparse.num_rows; ++row) {
      const auto r = static_cast<std::size_t>(row);
      for (int at = sparse.rows[r]; at < sparse.rows[r + 1]; ++at) {
        const auto entry = static_cast<std::size_t>(at);
        dense(row, sparse.cols[entry]) = sparse.values[entry];
      }
    }
    return dense;
  }

  /// Chi^2 over the degrees of freedom; 0 when there is no degree of freedom.
  [[nodiscard]] double excess() {
    double cost = 0;  // Ceres gives half of chi^2
    problem_.Evaluate({}, &cost, nullptr, nullptr, nullptr);
    const int freedom = problem_.NumResiduals() - static_cast<int>(logs_.size());
    return freedom > 0 ? 2 * cost / freedom : 0;
  }

  const Calibration& calibration_;
  Values logs_;
  ceres::Problem problem_;
};

double rounded(const FreeConstant& constant, double value) {
  const double six_digits = std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr);
  return constant.whole ? std::round(six_digits) : six_digits;
}

/// Lets the next round start where this one ended. Returns true when the round moved nothing. The
/// rounds are needed because the constants that a row depends on may differ from place to place; a
/// constant that it does not depend on stays at its start.
bool moveStarts(const Values& values, Calibration& calibration) {
  bool still = true;
  for (std::size_t c = 0; c < values.size(); ++c) {
    FreeConstant& constant = calibration.constants[c];
    still = still && std::abs(values[c] / constant.start - 1) < kStill;
    constant.start = std::clamp(values[c], constant.low, constant.high);
  }
  return still;
}

Fit fitOf(const Calibration& calibration, const Values& values, const Eigen::MatrixXd& covariance) {
  Fit result;
  const Eigen::Index count = covariance.rows();
  for (Eigen::Index i = 0; i < count; ++i) {
    const auto c = static_cast<std::size_t>(i);
    result.values.push_back(rounded(calibration.constants[c], values[c]));
    result.relative_errors.push_back(std::sqrt(covariance(i, i)));
    Values row;
    for (Eigen::Index j = 0; j < count; ++j) {
      row.push_back(covariance(i, j) / std::sqrt(covariance(i, i) * covariance(j, j)));
    }
    result.correlations.push_back(std::move(row));
  }
  return result;
}

std::vector<std::size_t> allBut(std::size_t count, std::size_t left_out) {
  std::vector<std::size_t> rows(count);
  std::iota(rows.begin(), rows.end(), 0);
  if (left_out < count) rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(left_out));
  return rows;
}

}  // namespace

std::optional<Fit> fit(const Calibration& calibration, const Predict& predict,
                       const std::vector<std::size_t>& rows) {
  if (rows.size() < calibration.constants.size()) return std::nullopt;
  Calibration from = calibration;
  for (int round = 0; round < kMostRounds; ++round) {
    Problem problem(from, predict, rows);
    if (!problem.covariance()) return std::nullopt;  // the search would wander
    problem.solve();
    const Values values = problem.values();
    const bool still = moveStarts(values, from);
    if (!still && round + 1 < kMostRounds) continue;
    const std::optional<Eigen::MatrixXd> covariance = problem.covariance();
    if (!covariance) return std::nullopt;
    return fitOf(calibration, values, *covariance);
  }
  return std::nullopt;
}

CalibrationResult calibrate(const Calibration& calibration) {
  const Predict predict = predictionsOf(calibration);
  const std::size_t count = calibration.rows.size();
  std::optional<Fit> all = fit(calibration, predict, allBut(count, count));
  if (!all) {
    throw ConfigError(fmt::format(
        "{}: wanted rows that tell {} constants apart, found too few independent ones",
        calibration.rows.front().measurement.file.string(), calibration.constants.size()));
  }
  CalibrationResult result{std::move(*all), {}};
  Values starts;
  for (const FreeConstant& constant : calibration.constants) starts.push_back(constant.start);
  for (std::size_t row = 0; row < count; ++row) {
    RowFit one{predict(row, starts), predict(row, result.fit.values), std::nullopt};
    const std::optional<Fit> others = fit(calibration, predict, allBut(count, row));
    if (others) one.left_out = predict(row, others->values);
    result.rows.push_back(one);
  }
  return result;
}

}  // namespace ipusim::calibrate
