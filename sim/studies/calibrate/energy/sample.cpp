// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/calibrate/energy/sample.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace ipusim::calibrate {

namespace {

constexpr double kPi = 3.1415926535897932;
/// The generator has 64 bits, and a double 53 of them.
constexpr unsigned kDroppedBits = 11;
constexpr double kGrain = 1.0 / 9007199254740992.0;

/// Standard normal numbers by the method of Box and Muller.
class NormalNumbers {
 public:
  explicit NormalNumbers(std::uint64_t seed) : engine_(seed) {}

  double next() {
    if (has_second_) {
      has_second_ = false;
      return second_;
    }
    const double radius = std::sqrt(-2 * std::log(uniform()));
    const double angle = 2 * kPi * uniform();
    second_ = radius * std::sin(angle);
    has_second_ = true;
    return radius * std::cos(angle);
  }

 private:
  /// Above 0 and at most 1.
  double uniform() { return static_cast<double>((engine_() >> kDroppedBits) + 1) * kGrain; }

  std::mt19937_64 engine_;
  double second_ = 0;
  bool has_second_ = false;
};

struct Draw {
  energy::Values values;
  LoadDraw load;
};

Draw drawFrom(const EnergyCalibration& calibration, NormalNumbers& numbers) {
  Draw draw;
  for (const energy::Constant constant : energy::allConstants()) {
    draw.values[constant] = energy::valueAt(calibration.priors.of(constant), numbers.next());
  }
  draw.load.amp_score = numbers.next();
  draw.load.issue_score = numbers.next();
  draw.load.card_watts = energy::valueAt(calibration.card_watts, numbers.next());
  return draw;
}

std::vector<double> wattsOfLoads(const EnergyCalibration& calibration, const Draw& draw) {
  std::vector<double> watts;
  for (const PowerLoad& load : calibration.loads) {
    const bool is_priced = energy::whyUnpriced(load.machine.ipu).empty();
    watts.push_back(is_priced ? wattsOf(load, draw.values, draw.load) : 0);
  }
  return watts;
}

}  // namespace

EnergySample sampleOf(const EnergyCalibration& calibration) {
  EnergySample sample;
  sample.constants.resize(energy::kConstants);
  sample.rows.resize(calibration.rows.size());
  sample.limits.resize(calibration.limits.size());
  NormalNumbers numbers(calibration.seed);
  for (std::uint64_t d = 0; d < calibration.draws; ++d) {
    const Draw draw = drawFrom(calibration, numbers);
    for (std::size_t c = 0; c < energy::kConstants; ++c) {
      sample.constants[c].push_back(draw.values.of_constant[c]);
    }
    const std::vector<double> watts = wattsOfLoads(calibration, draw);
    for (std::size_t r = 0; r < calibration.rows.size(); ++r) {
      const PowerRow& row = calibration.rows[r];
      if (!energy::whyUnpriced(calibration.loads[row.load].machine.ipu).empty()) continue;
      sample.rows[r].push_back(row.over ? watts[row.load] / watts[*row.over] : watts[row.load]);
    }
    for (std::size_t l = 0; l < calibration.limits.size(); ++l) {
      sample.limits[l].push_back(watts[calibration.limits[l].load]);
    }
  }
  return sample;
}

std::vector<std::size_t> orderOf(const std::vector<double>& column) {
  std::vector<std::size_t> order(column.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&column](std::size_t a, std::size_t b) {
    return column[a] != column[b] ? column[a] < column[b] : a < b;
  });
  return order;
}

}  // namespace ipusim::calibrate
