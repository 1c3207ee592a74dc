// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "workloads/networks/dense.h"
#include "workloads/ops/training/sgd.h"
#include "workloads/sources/named/parts/layer.h"
#include "workloads/sources/named/parts/shl_reference.h"
#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// True when computing the reference of a network takes minutes at most. It takes one pass per
/// parameter in each of the `steps`, so the network must have few `parameters`.
bool isCheckable(const ShlShape& shape, std::uint64_t parameters, std::uint64_t steps);

/// The variables and the steps of a network with a single hidden layer, and its reference. `graph`
/// must outlive all that uses it.
class ShlNetwork {
 public:
  ShlNetwork(Graph& graph, const Architecture& machine, const ShlShape& shape,
             const MakeLayer& make_hidden);

  /// Adds a training step: forward, loss, backward and the update of all parameters.
  void addStep(const SgdRates& rates, Program& program);

  /// The parameters: the hidden layer first, then the wrapper's bias and the output layer.
  [[nodiscard]] std::vector<Parameter> parameters() const;
  [[nodiscard]] const Tensor& x() const { return x_; }
  [[nodiscard]] const Tensor& labels() const { return labels_; }
  [[nodiscard]] const Tensor& loss() const { return loss_; }

  /// The tensors that the host writes before a run, and those that it reads after it.
  [[nodiscard]] std::vector<HostTensor> inputs() const;
  [[nodiscard]] std::vector<HostTensor> outputs() const;

  /// Computes the network in doubles, without a program.
  [[nodiscard]] ShlReference reference() const { return {hidden_, head_, shape_}; }

 private:
  Graph& graph_;
  const Architecture& machine_;
  ShlShape shape_;
  std::shared_ptr<Layer> hidden_;
  std::optional<Parameter> wrapper_bias_;
  std::shared_ptr<DenseLayer> head_;
  std::vector<Tensor> velocities_;
  Tensor x_;
  Tensor labels_;
  Tensor loss_;
};

}  // namespace ipusim::workloads
