// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "workloads/networks/training_stage.h"
#include "workloads/sources/named/parts/layer.h"
#include "workloads/sources/named/parts/shl_reference.h"
#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// True when computing the reference of a network takes minutes at most. It takes one pass per
/// parameter in each of the `steps`, so the network must have few `parameters`.
bool isCheckable(const ShlShape& shape, std::uint64_t parameters, std::uint64_t steps);

/// The modules of a network with a single hidden layer: hidden, relu, output and loss. `hidden`
/// describes the hidden layer, which `make` builds.
Network shlModules(const ShlShape& shape, const SgdRates& rates, const std::string& hidden,
                   const MakeLayer& make);

/// The variables and the steps of such a network on one chip, and its reference. `graph` must
/// outlive all that uses it.
class ShlNetwork {
 public:
  ShlNetwork(Graph& graph, const Architecture& machine, const ShlShape& shape,
             const Network& network);

  /// Adds a training step: forward, loss, backward and the update of all parameters.
  void addStep(Program& program);

  /// The parameters: the hidden layer first, then the wrapper's bias and the output layer.
  [[nodiscard]] const std::vector<Parameter>& parameters() const { return stage_.parameters(); }

  /// The tensors that the host writes before a run, and those that it reads after it.
  [[nodiscard]] std::vector<HostTensor> inputs() const;
  [[nodiscard]] std::vector<HostTensor> outputs() const;

  /// Computes the network in doubles, without a program.
  [[nodiscard]] ShlReference reference() const;

 private:
  ShlShape shape_;
  TrainingStage stage_;
};

}  // namespace ipusim::workloads
