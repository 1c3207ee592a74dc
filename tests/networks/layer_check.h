// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

#include "sim/execute/check.h"
#include "workloads/networks/layer.h"

// Checks the numbers of a layer, forward and backward, through tile memories.

namespace ipusim::workloads {

struct LayerSizes {
  std::uint64_t batch;
  std::uint64_t inputs;
};

/// A layer alone in a graph. The host gives x to the forward pass, and a gradient to the backward
/// pass.
class LayerRun {
 public:
  /// Throws InternalError when a gradient does not lie like its parameter, or when the result is
  /// not one tensor in one variable. `machine` must outlive this object.
  LayerRun(const Machine& machine, const LayerSizes& sizes, const MakeLayer& make);

  [[nodiscard]] Graph& graph() { return *graph_; }
  [[nodiscard]] Layer& layer() { return *layer_; }
  /// The gradient of the result, with which the backward pass begins.
  [[nodiscard]] const Tensor& gradient() const { return gradient_; }
  /// Says that the program leaves the gradient of x in `gradient`, which is then checked as well.
  void expectInputGradient(const Tensor& gradient);

  /// Runs the program on random numbers. Compares the result with the layer's reference. Compares
  /// the gradients with central differences of the sum of result times gradient in that reference.
  [[nodiscard]] checker::CheckResult check() const;

 private:
  /// Keeps a copy of `tensor` for the host.
  void keep(const std::string& name, const Tensor& tensor);
  [[nodiscard]] std::vector<Values> expected(std::vector<Values> inputs) const;

  const Machine& machine_;
  std::unique_ptr<Graph> graph_;
  std::shared_ptr<Layer> layer_;
  Tensor x_;
  Tensor gradient_;
  std::vector<HostTensor> outputs_;
  bool has_input_gradient_ = false;
};

/// Builds and checks a layer. A failure says what was found.
testing::AssertionResult checkLayer(const Machine& machine, const LayerSizes& sizes,
                                    const MakeLayer& make);

}  // namespace ipusim::workloads
