// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/energy/draws.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <utility>

#include "ipusim/error.h"

namespace ipusim::energy {

namespace {

/// Any seed is as good as another.
constexpr std::uint64_t kSeed = 20;
/// FNV-1a of 64 bits, so that a constant keeps its order when others come or go.
constexpr std::uint64_t kHashStart = 14695981039346656037U;
constexpr std::uint64_t kHashFactor = 1099511628211U;
/// The standard normal score of the quantile of 95 %.
constexpr double kScoreOf95 = 1.6448536269514722;
constexpr double kRootOf2 = 1.4142135623730951;
constexpr double kPi = 3.1415926535897932;
constexpr double kStill = 1e-14;
constexpr int kMostRounds = 100;
/// What is left of a variance may not come below this value.
constexpr double kLeastVariance = 1e-9;

/// Fewer draws cannot be made independent.
constexpr std::size_t kFewestDraws = 2 * kConstants;

using Scores = std::array<double, kConstants>;

std::uint64_t seedOf(const std::string& key) {
  std::uint64_t hash = kHashStart ^ kSeed;
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * kHashFactor;
  return hash;
}

/// The numbers 0 to count - 1 in an order that depends on the key alone.
std::vector<std::size_t> orderOf(const std::string& key, std::size_t count) {
  std::mt19937_64 engine(seedOf(key));
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t left = count; left > 1; --left) {
    std::swap(order[left - 1], order[engine() % left]);
  }
  return order;
}

using Matrix = std::array<Scores, kConstants>;

/// The lower triangle whose product with its transpose is the lower half of a symmetric matrix.
Matrix triangleOf(Matrix lower) {
  for (std::size_t i = 0; i < kConstants; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double rest = lower[i][j];
      for (std::size_t k = 0; k < j; ++k) rest -= lower[i][k] * lower[j][k];
      lower[i][j] = i == j ? std::sqrt(std::max(rest, kLeastVariance)) : rest / lower[j][j];
    }
  }
  return lower;
}

Matrix matrixOf(const std::vector<Correlation>& correlations) {
  Matrix lower{};
  for (std::size_t i = 0; i < kConstants; ++i) lower[i][i] = 1;
  for (const Correlation& one : correlations) {
    lower[static_cast<std::size_t>(one.one)][static_cast<std::size_t>(one.other)] = one.value;
  }
  return lower;
}

/// The lower half of the covariance of scores whose means are 0.
Matrix covarianceOf(const std::vector<Scores>& scores) {
  Matrix lower{};
  for (const Scores& draw : scores) {
    for (std::size_t i = 0; i < kConstants; ++i) {
      for (std::size_t j = 0; j <= i; ++j) lower[i][j] += draw[i] * draw[j];
    }
  }
  for (Scores& row : lower) {
    for (double& entry : row) entry /= static_cast<double>(scores.size());
  }
  return lower;
}

/// The scores that `lower` makes `draw` of.
Scores withoutTriangle(const Matrix& lower, const Scores& draw) {
  Scores solved{};
  for (std::size_t i = 0; i < kConstants; ++i) {
    double rest = draw[i];
    for (std::size_t k = 0; k < i; ++k) rest -= lower[i][k] * solved[k];
    solved[i] = rest / lower[i][i];
  }
  return solved;
}

Scores withTriangle(const Matrix& lower, const Scores& draw) {
  Scores product{};
  for (std::size_t i = 0; i < kConstants; ++i) {
    for (std::size_t k = 0; k <= i; ++k) product[i] += lower[i][k] * draw[k];
  }
  return product;
}

/// A Latin hypercube of pairs: the second draw of each mirrors the first at 0.
std::vector<Scores> mirroredScores(std::size_t count) {
  std::vector<Scores> scores(count);
  for (const Constant constant : allConstants()) {
    const auto c = static_cast<std::size_t>(constant);
    const std::vector<std::size_t> order = orderOf(keyOf(constant), count);
    std::size_t next = 0;
    for (const std::size_t stratum : order) {
      if (2 * next == count) break;
      // Of the two strata of a pair, the one that comes first in the order has the first draw.
      const auto mirror = std::find(order.begin(), order.end(), count - 1 - stratum);
      if (mirror < std::find(order.begin(), order.end(), stratum)) continue;
      const double middle = (static_cast<double>(stratum) + 0.5) / static_cast<double>(count);
      scores[2 * next][c] = normalScore(middle);
      scores[2 * next + 1][c] = -scores[2 * next][c];
      ++next;
    }
  }
  return scores;
}

/// Libraries of mathematics differ in the last digit, which is dropped here.
double rounded(double value) {
  return std::strtod(fmt::format("{:.8e}", value).c_str(), nullptr);
}

}  // namespace

double normalScore(double probability) {
  // Newton's method. Beyond the solution of a tail the next step comes back from the other side.
  double score = 0;
  for (int round = 0; round < kMostRounds; ++round) {
    const double density = std::exp(-score * score / 2) / std::sqrt(2 * kPi);
    const double step = (std::erfc(-score / kRootOf2) / 2 - probability) / density;
    score -= step;
    if (std::abs(step) < kStill) break;
  }
  return score;
}

double valueAt(const Band& band, double score) {
  const double share = std::abs(score) / kScoreOf95;
  const double end = score < 0 ? band.low : band.high;
  if (band.shape == Shape::Normal) return band.median + share * (end - band.median);
  return band.median * std::pow(end / band.median, share);
}

std::vector<Values> drawsOf(const Constants& constants, std::size_t count) {
  check(count % 2 == 0 && count >= kFewestDraws, "draws are pairs, and more than constants");
  const std::vector<Scores> scores = mirroredScores(count);
  const Matrix chance = triangleOf(covarianceOf(scores));
  const Matrix wanted = triangleOf(matrixOf(constants.correlations));
  std::vector<Values> draws(count);
  for (std::size_t d = 0; d < count; ++d) {
    const Scores correlated = withTriangle(wanted, withoutTriangle(chance, scores[d]));
    for (std::size_t c = 0; c < kConstants; ++c) {
      draws[d].of_constant[c] = rounded(valueAt(constants.bands[c], correlated[c]));
    }
  }
  return draws;
}

const std::vector<Values>& shippedDraws() {
  static const std::vector<Values> kShipped = drawsOf(shippedConstants(), kDraws);
  return kShipped;
}

}  // namespace ipusim::energy
