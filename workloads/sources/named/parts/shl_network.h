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

/// Whether the reference of a network ends in minutes: it takes a pass for each of the `parameters`
/// in each of the `steps`. True of few parameters only.
bool isCheckable(const ShlShape& shape, std::uint64_t parameters, std::uint64_t steps);

/// Its variables, its steps, and the same in numbers. `graph` must outlive what builds on it.
class ShlNetwork {
 public:
  ShlNetwork(Graph& graph, const Architecture& machine, const ShlShape& shape,
             const MakeLayer& make_hidden);

  /// Adds a training step: forward, loss, backward and the update of all parameters.
  void addStep(const SgdRates& rates, Program& program);

  /// Hidden layer first, then the wrapper's bias and the output layer.
  [[nodiscard]] std::vector<Parameter> parameters() const;
  [[nodiscard]] const Tensor& x() const { return x_; }
  [[nodiscard]] const Tensor& labels() const { return labels_; }
  [[nodiscard]] const Tensor& loss() const { return loss_; }

  /// What the host writes before a run, and reads after it.
  [[nodiscard]] std::vector<HostTensor> inputs() const;
  [[nodiscard]] std::vector<HostTensor> outputs() const;

  /// The network in doubles, without a program.
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
