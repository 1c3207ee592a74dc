// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/parts/shl_reference.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/magnitude.h"
#include "workloads/ops/numbers.h"

namespace ipusim::workloads {

namespace {

/// The error of a sum with many roundings, relative to its largest terms.
constexpr double kRoundingOfSum = 64 * unitRoundoff(ElementType::Float);
/// The error of an update with few roundings.
constexpr double kRoundingOfUpdate = 4 * unitRoundoff(ElementType::Float);

/// A float may lose anything smaller than this.
constexpr double kLeastFloat = std::numeric_limits<float>::min();

Values relued(Values values) {
  for (double& value : values) value = std::max(value, 0.0);
  return values;
}

/// How far a likelihood p moves at most when logits move by `rounding`, one up and the others down.
/// The odds p / (1 - p) grow by a factor of k = e^(2 rounding), so p grows by at most p (1 - p) (k
/// - 1). A sample that has been learnt therefore moves little.
double moved(double likely, double rounding) {
  constexpr double kAnything = 300;
  if (rounding > kAnything) return 1;
  const double unlikely = 1 - likely + std::numeric_limits<double>::epsilon();
  return std::min(1.0, likely * unlikely * std::expm1(2 * rounding));
}

/// A step as large as the value, so that neither is lost in the other.
double stepFrom(double value) {
  return 1 + std::abs(value);
}

}  // namespace

Values ShlReference::beforeRelu(const std::vector<Values>& parameters, const Values& x) const {
  const auto end = parameters.begin() + static_cast<std::ptrdiff_t>(hidden_->parameters().size());
  Values values = hidden_->reference({parameters.begin(), end}, x);
  if (shape_.has_wrapper_bias) addToRows(*end, values);
  return values;
}

std::vector<Values> ShlReference::headOf(const std::vector<Values>& parameters) const {
  return {parameters.end() - static_cast<std::ptrdiff_t>(head_->parameters().size()),
          parameters.end()};
}

/// Moves one unit after the other, in all rows at once: no row of the logits depends on another
/// row.
void ShlReference::addSlopesByUnit(const std::vector<Values>& of_head, Pass& pass) const {
  const Values active = relued(pass.before_relu.at);
  pass.by_unit.resize(pass.logits.at.size() * shape_.features);
  for (std::uint64_t unit = 0; unit < shape_.features; ++unit) {
    Values moved = active;
    for (std::size_t u = unit; u < moved.size(); u += shape_.features) {
      moved[u] += stepFrom(moved[u]);
    }
    const Values logits = head_->reference(of_head, moved);
    for (std::size_t l = 0; l < logits.size(); ++l) {
      const std::size_t u = l / shape_.classes * shape_.features + unit;
      pass.by_unit[l * shape_.features + unit] =
          (logits[l] - pass.logits.at[l]) / (moved[u] - active[u]);
    }
  }
}

/// How far rounding moves the logits of a row. Rounding affects the units, and the sums of them,
/// whose terms may be larger than the sum.
double ShlReference::roundingOfRow(std::uint64_t row, const Pass& pass) const {
  const Values& units = pass.before_relu.at;
  const double largest_unit = largestOf(units);
  double most = 0;
  for (std::uint64_t l = row * shape_.classes; l < (row + 1) * shape_.classes; ++l) {
    double terms = std::abs(pass.logits.at[l]);
    for (std::uint64_t unit = 0; unit < shape_.features; ++unit) {
      const double size = std::max(units[row * shape_.features + unit], 0.0) + largest_unit;
      terms += std::abs(pass.by_unit[l * shape_.features + unit]) * size;
    }
    most = std::max(most, kRoundingOfSum * terms);
  }
  return most;
}

/// Adds the loss from the logits, and its slopes by them: (softmax - one at the label) / batch.
void ShlReference::addLoss(const Values& labels, Pass& pass) const {
  const auto batch = static_cast<double>(shape_.batch);
  for (std::uint64_t row = 0; row < shape_.batch; ++row) {
    const double* logits = pass.logits.at.data() + row * shape_.classes;
    const auto label = static_cast<std::size_t>(labels[row]);
    const double highest = *std::max_element(logits, logits + shape_.classes);
    double sum = 0;
    for (std::uint64_t c = 0; c < shape_.classes; ++c) sum += std::exp(logits[c] - highest);
    const double rounding = roundingOfRow(row, pass);
    pass.loss += (highest - logits[label] + std::log(sum)) / batch;
    pass.loss_slack += (2 * rounding + kRoundingOfSum * std::log(sum)) / batch;
    for (std::uint64_t c = 0; c < shape_.classes; ++c) {
      const double likely = std::exp(logits[c] - highest) / sum;
      const double is_label = c == label ? 1 : 0;
      pass.logits.slopes.push_back((likely - is_label) / batch);
      pass.logits.slack.push_back(
          (kRoundingOfSum * (likely + is_label) + moved(likely, rounding) + kLeastFloat) / batch);
    }
  }
}

/// The slopes of the loss by the values before the relu, from its slopes by the logits.
void ShlReference::passBack(Pass& pass) const {
  Level& units = pass.before_relu;
  const double in_doubt = kRoundingOfSum * largestOf(units.at);
  units.slopes.assign(units.at.size(), 0);
  units.slack.assign(units.at.size(), 0);
  for (std::size_t u = 0; u < units.at.size(); ++u) {
    const std::size_t row = u / shape_.features;
    for (std::size_t l = row * shape_.classes; l < (row + 1) * shape_.classes; ++l) {
      const double slope = pass.by_unit[l * shape_.features + u % shape_.features];
      units.slopes[u] += slope * pass.logits.slopes[l];
      units.slack[u] += std::abs(slope) * pass.logits.slack[l];
    }
    if (std::abs(units.at[u]) <= in_doubt) units.slack[u] += std::abs(units.slopes[u]);
    if (units.at[u] > 0) continue;
    units.slopes[u] = 0;
    if (units.at[u] < -in_doubt) units.slack[u] = 0;
  }
}

/// The slopes of the loss by one tensor of the parameters.
ShlReference::Level ShlReference::slopesOf(std::vector<Values>& parameters, std::size_t index,
                                           const Values& x, const Pass& pass) const {
  const bool is_of_head = index >= parameters.size() - head_->parameters().size();
  const Level& above = is_of_head ? pass.logits : pass.before_relu;
  const Values active = relued(pass.before_relu.at);
  Level level{parameters[index], {}, {}};
  for (double& value : parameters[index]) {
    const double middle = value;
    value += stepFrom(value);
    const Values after =
        is_of_head ? head_->reference(headOf(parameters), active) : beforeRelu(parameters, x);
    const double step = value - middle;
    value = middle;
    double slope = 0;
    double slack = 0;
    for (std::size_t i = 0; i < after.size(); ++i) {
      const double by_value = (after[i] - above.at[i]) / step;
      slope += by_value * above.slopes[i];
      slack += std::abs(by_value) * above.slack[i];
    }
    level.slopes.push_back(slope);
    level.slack.push_back(slack);
  }
  return level;
}

namespace {

/// A tensor after the update, how far it may be off, and how much it has changed.
struct Updated {
  Values values;
  Values slack;
  Values changes;
};

Updated velocityAfter(const Values& before, const Values& slopes, const Values& slack,
                      double momentum) {
  Updated velocity{{}, {}, slopes};
  for (std::size_t e = 0; e < before.size(); ++e) {
    const double kept = momentum * before[e];
    velocity.values.push_back(kept + slopes[e]);
    velocity.slack.push_back(slack[e] + kRoundingOfUpdate * (std::abs(kept) + std::abs(slopes[e])));
  }
  return velocity;
}

Updated parameterAfter(const Values& before, const Updated& velocity, double learning_rate) {
  Updated parameter;
  for (std::size_t e = 0; e < before.size(); ++e) {
    const double change = learning_rate * velocity.values[e];
    parameter.values.push_back(before[e] - change);
    parameter.slack.push_back(learning_rate * velocity.slack[e] +
                              kRoundingOfUpdate * std::abs(before[e]));
    parameter.changes.push_back(change);
  }
  return parameter;
}

}  // namespace

Expected ShlReference::step(const std::vector<Values>& inputs, const SgdRates& rates) const {
  const std::size_t count = (inputs.size() - 2) / 2;
  const auto first = inputs.begin() + 2;
  std::vector<Values> parameters(first, first + static_cast<std::ptrdiff_t>(count));
  Pass pass;
  pass.before_relu.at = beforeRelu(parameters, inputs[0]);
  pass.logits.at = head_->reference(headOf(parameters), relued(pass.before_relu.at));
  addSlopesByUnit(headOf(parameters), pass);
  addLoss(inputs[1], pass);
  passBack(pass);

  // The order of the outputs: the loss, then all parameters, then all velocities.
  Expected expected(std::vector<Values>(1 + 2 * count, {pass.loss}));
  expected.slack.assign(expected.values.size(), {pass.loss_slack});
  expected.scales.assign(expected.values.size(), pass.loss);
  const auto put = [&](std::size_t output, Updated updated) {
    expected.scales[output] = largestOf(updated.changes);
    expected.values[output] = std::move(updated.values);
    expected.slack[output] = std::move(updated.slack);
  };
  for (std::size_t p = 0; p < count; ++p) {
    const Level level = slopesOf(parameters, p, inputs[0], pass);
    Updated velocity =
        velocityAfter(inputs[2 + count + p], level.slopes, level.slack, rates.momentum);
    put(1 + p, parameterAfter(level.at, velocity, rates.learning_rate));
    put(1 + count + p, std::move(velocity));
  }
  return expected;
}

}  // namespace ipusim::workloads
