// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

#include "ipusim/ids.h"
#include "workloads/networks/graph/evaluate.h"
#include "workloads/networks/operations/rows/loss.h"
#include "workloads/networks/training/backward.h"

// The gradient of each operation against differences of the loss, in doubles.

namespace ipusim::workloads {

/// Adds learnt tensors and inputs to a graph, with values for all of them.
class GradientCase {
 public:
  NetworkTensorId learnt(const Shape& shape, double low = -2, double high = 2) {
    return source({shape}, TensorRole::Parameter, low, high);
  }
  NetworkTensorId input(const Shape& shape, double low = -2, double high = 2) {
    return source({shape}, TensorRole::Input, low, high);
  }
  /// An input whose elements all have one value.
  NetworkTensorId number(const Shape& shape, double value) { return input(shape, value, value); }
  NetworkTensorId classes(const Shape& shape, std::uint64_t count) {
    const NetworkTensorId labels = source({shape, ElementType::UInt32}, TensorRole::Input, 0, 0);
    double next = 1;
    for (double& label : sources_[indexOf(labels)]) {
      label = std::fmod(next, static_cast<double>(count));
      next += 2;
    }
    return labels;
  }
  /// Draws values of the parameters that others added to the graph.
  void drawParameters(double low, double high) {
    for (const NetworkTensorId parameter : graph_.tensorsOf(TensorRole::Parameter)) {
      if (sources_.count(indexOf(parameter)) == 0) draw(parameter, low, high);
    }
  }
  NetworkTensorId add(OperationPointer operation, const std::vector<NetworkTensorId>& operands) {
    return graph_.add("node", std::move(operation), operands);
  }
  NetworkGraph& graph() { return graph_; }

  /// The loss that ends in the last result, and its gradients.
  void expectGradientsOf(NetworkTensorId result) {
    NetworkTensorId loss = result;
    if (elementsOf(graph_.shapeOf(result)) > 1) {
      loss = add(squaredErrorLoss(), {result, input(graph_.shapeOf(result))});
    }
    const TensorGradients gradients = addBackward(graph_, loss);
    for (const NetworkTensorId parameter : graph_.tensorsOf(TensorRole::Parameter)) {
      ASSERT_TRUE(gradients[indexOf(parameter)]);
      expectDifferences(parameter, *gradients[indexOf(parameter)], loss);
    }
  }

 private:
  NetworkTensorId source(const TensorType& type, TensorRole role, double low, double high) {
    const NetworkTensorId id = graph_.addSource("source", type, role);
    draw(id, low, high);
    return id;
  }

  void draw(NetworkTensorId id, double low, double high) {
    std::uniform_real_distribution<double> next(low, high);
    TensorValues& values = sources_[indexOf(id)];
    for (std::uint64_t e = 0; e < elementsOf(graph_.shapeOf(id)); ++e) {
      values.push_back(next(random_));
    }
  }

  void expectDifferences(NetworkTensorId parameter, NetworkTensorId gradient,
                         NetworkTensorId loss) {
    const TensorValues found = evaluate(graph_, sources_)[indexOf(gradient)];
    ASSERT_EQ(found.size(), elementsOf(graph_.shapeOf(parameter)));
    for (std::size_t e = 0; e < found.size(); ++e) {
      constexpr double kStep = 1e-5;
      const double above = lossAfter(parameter, e, kStep, loss);
      const double below = lossAfter(parameter, e, -kStep, loss);
      const double slope = (above - below) / (2 * kStep);
      EXPECT_NEAR(found[e], slope, 1e-7 + 1e-6 * std::abs(slope)) << "element " << e;
    }
  }

  double lossAfter(NetworkTensorId parameter, std::size_t element, double step,
                   NetworkTensorId loss) {
    double& value = sources_[indexOf(parameter)][element];
    const double before = value;
    value += step;
    const double result = evaluate(graph_, sources_)[indexOf(loss)].front();
    value = before;
    return result;
  }

  NetworkGraph graph_;
  std::unordered_map<std::size_t, TensorValues> sources_;
  std::mt19937_64 random_{7};
};

struct NamedCase {
  std::string name;
  std::function<NetworkTensorId(GradientCase&)> build;
};

/// The suite of the cases of one file.
class OperationGradient : public testing::TestWithParam<NamedCase> {
 protected:
  static void expectDifferences() {
    GradientCase gradients;
    const NetworkTensorId result = GetParam().build(gradients);
    gradients.expectGradientsOf(result);
  }
};

inline std::string nameOfCase(const testing::TestParamInfo<NamedCase>& info) {
  return info.param.name;
}

}  // namespace ipusim::workloads
