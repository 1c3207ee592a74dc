// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sim/studies/calibrate/energy/calibration.h"

namespace ipusim::calibrate {

/// The 5 %, 50 % and 95 % quantiles of a weighted sample.
struct Quantiles {
  double low = 0;
  double median = 0;
  double high = 0;
};

/// What the rows say about a constant.
struct FittedBand {
  Quantiles prior;
  Quantiles posterior;
  double narrowing = 1;         ///< width of the posterior over that of the prior
  std::vector<std::string> by;  ///< rows without which the posterior is clearly wider

  /// Whether the rows say anything. The posterior of another constant is its prior with noise.
  [[nodiscard]] bool isIdentified() const { return narrowing < kIdentified; }
  [[nodiscard]] bool isWeak() const { return narrowing >= kWell; }

  static constexpr double kIdentified = 0.95;
  static constexpr double kWell = 0.8;
};

/// What the constants predict for a row.
struct PredictedRow {
  std::string why_not;  ///< why the row is not predicted; empty when it is
  Quantiles predicted;
  std::optional<Quantiles> left_out;  ///< by all other rows, for a row that counts
};

struct EnergyFit {
  std::array<FittedBand, energy::kConstants> constants;
  std::vector<PredictedRow> rows;
  std::vector<Quantiles> limits;                  ///< power of the load of each limit
  std::vector<energy::Correlation> correlations;  ///< between identified constants
  double effective_draws = 0;                     ///< (sum of weights)^2 / sum of squares
};

/// Draws the constants from their priors and weighs each draw by
///
///   exp(-sum over rows of (ln(predicted / published) / error)^2 / 2)
///
/// and by its distance beyond the limits. Posterior quantiles are those of the weighted draws.
/// Throws ConfigError when hardly a draw meets the rows.
EnergyFit fitEnergy(const EnergyCalibration& calibration);

}  // namespace ipusim::calibrate
