// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/parts/mlp_reference.h"

#include <algorithm>
#include <cmath>

#include "base/magnitude.h"
#include "workloads/ops/numbers.h"

namespace ipusim::workloads {

namespace {

// Covers the roundings of a parameter and its velocity in an update.
constexpr double kMlpReferenceRoundingOfUpdate = 4.0 / (1U << 24U);

Values transposed(const Values& matrix, std::uint64_t columns) {
  const std::uint64_t rows = matrix.size() / columns;
  Values result(matrix.size());
  for (std::uint64_t r = 0; r < rows; ++r) {
    for (std::uint64_t c = 0; c < columns; ++c) result[c * rows + r] = matrix[r * columns + c];
  }
  return result;
}

Values columnSums(const Values& matrix, std::uint64_t columns) {
  Values sums(columns, 0);
  for (std::size_t i = 0; i < matrix.size(); ++i) sums[i % columns] += matrix[i];
  return sums;
}

/// Adds the loss of a row to `loss`, and puts its slopes in the place of the logits.
void passLoss(double* logits, std::uint64_t classes, std::uint64_t label, double batch,
              double& loss) {
  const double largest = *std::max_element(logits, logits + classes);
  double sum = 0;
  for (std::uint64_t c = 0; c < classes; ++c) sum += std::exp(logits[c] - largest);
  loss -= (logits[label] - largest - std::log(sum)) / batch;
  for (std::uint64_t c = 0; c < classes; ++c) {
    logits[c] = (std::exp(logits[c] - largest) / sum - (c == label ? 1 : 0)) / batch;
  }
}

/// The slopes of the loss by all parameters, and the loss.
struct Slopes {
  std::vector<Values> by_parameter;
  double loss = 0;
};

Slopes slopesOf(const MlpShape& shape, const std::vector<Values>& inputs) {
  const std::size_t layers = shape.dims.size() - 1;
  std::vector<Values> at{inputs[0]};  // the input of each layer, then the logits
  for (std::size_t l = 0; l < layers; ++l) {
    Values next = multiplied(at[l], inputs[2 + 2 * l], shape.dims[l], shape.dims[l + 1]);
    addToRows(inputs[3 + 2 * l], next);
    if (l + 1 < layers) {
      for (double& value : next) value = std::max(value, 0.0);
    }
    at.push_back(std::move(next));
  }
  Slopes slopes{std::vector<Values>(2 * layers)};
  Values gradient = at.back();
  for (std::uint64_t row = 0; row < shape.batch; ++row) {
    passLoss(&gradient[row * shape.dims.back()], shape.dims.back(),
             static_cast<std::uint64_t>(inputs[1][row]), static_cast<double>(shape.batch),
             slopes.loss);
  }
  for (std::size_t l = layers; l-- > 0;) {
    const std::uint64_t outputs = shape.dims[l + 1];
    slopes.by_parameter[2 * l] =
        multiplied(transposed(at[l], shape.dims[l]), gradient, shape.batch, outputs);
    slopes.by_parameter[2 * l + 1] = columnSums(gradient, outputs);
    gradient = multiplied(gradient, transposed(inputs[2 + 2 * l], outputs), outputs, shape.dims[l]);
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] *= at[l][i] > 0 ? 1 : 0;
  }
  return slopes;
}

}  // namespace

Expected mlpStep(const MlpShape& shape, const SgdRates& rates, const std::vector<Values>& inputs) {
  const Slopes slopes = slopesOf(shape, inputs);
  const std::size_t count = slopes.by_parameter.size();
  Expected expected(std::vector<Values>(1 + 2 * count, {slopes.loss}));
  expected.slack.assign(1 + 2 * count, {0});
  expected.scales.assign(1 + 2 * count, slopes.loss);
  for (std::size_t p = 0; p < count; ++p) {
    const Values& before = inputs[2 + p];
    Values velocity = inputs[2 + count + p];
    Values after = before;
    Values slack;
    for (std::size_t e = 0; e < before.size(); ++e) {
      velocity[e] = rates.momentum * velocity[e] + slopes.by_parameter[p][e];
      after[e] -= rates.learning_rate * velocity[e];
      slack.push_back(kMlpReferenceRoundingOfUpdate * std::abs(before[e]));
    }
    expected.scales[1 + p] = rates.learning_rate * largestOf(velocity);
    expected.scales[1 + count + p] = largestOf(slopes.by_parameter[p]);
    expected.slack[1 + p] = std::move(slack);
    expected.slack[1 + count + p] = Values(before.size(), 0);
    for (std::size_t e = 0; e < before.size(); ++e) {
      expected.slack[1 + count + p][e] =
          kMlpReferenceRoundingOfUpdate * std::abs(inputs[2 + count + p][e]);
    }
    expected.values[1 + p] = std::move(after);
    expected.values[1 + count + p] = std::move(velocity);
  }
  return expected;
}

}  // namespace ipusim::workloads
