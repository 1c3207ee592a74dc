// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "workloads/networks/cuts/stage.h"
#include "workloads/networks/training/optimiser.h"

namespace ipusim::workloads {

struct SharedTensors;

/// The update of the parameters of a stage. The constructor adds the optimiser state and the
/// accumulators; each lies like its parameter.
class ParameterUpdate {
 public:
  /// Each parameter is all of one variable. `graph` and `machine` must outlive this. Where the
  /// replicas share an update, the parameters must be of one type; throws NotLowered if not.
  ParameterUpdate(Graph& graph, const Architecture& machine, std::vector<Parameter> parameters,
                  const Optimiser& optimiser, const StageSharing& sharing);

  /// Takes the gradients of a micro-batch, one per parameter. Adds the steps that add them to their
  /// accumulators, if any.
  void accumulate(const std::vector<Tensor>& gradients, Program& program);

  /// Adds the sum of gradients over the replicas, the update and the gather of sharded weights, as
  /// far as they are on the chip, and clears the accumulators. Optimiser state that is sharded is
  /// one variable; rules with norms then take the norm of the whole share.
  void addSteps(Program& program);

  [[nodiscard]] const std::vector<Parameter>& parameters() const { return parameters_; }
  [[nodiscard]] const std::vector<Tensor>& states() const { return states_; }
  [[nodiscard]] const std::vector<Tensor>& accumulators() const { return accumulators_; }

 private:
  void expectOneType() const;
  void addStates(const Tensor& parameter, const std::string& name);
  [[nodiscard]] std::vector<Tensor> arrangedGradients(Program& program);
  Tensor addGradientSum(const SharedTensors& shared, Program& program);
  void addRule(const std::string& name, const std::vector<Tensor>& operands, Program& program);
  void addShardedUpdate(Program& program);
  void addWholeUpdate(Program& program);

  Graph& graph_;
  const Architecture& machine_;
  std::vector<Parameter> parameters_;
  Optimiser optimiser_;
  StageSharing sharing_;
  std::vector<Tensor> states_;  ///< those of a parameter stand together
  std::vector<Tensor> accumulators_;
  std::vector<Tensor> gradients_;  ///< one entry per parameter
};

}  // namespace ipusim::workloads
