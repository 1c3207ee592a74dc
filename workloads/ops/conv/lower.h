// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "ipusim/graph.h"
#include "workloads/ops/conv/convolve.h"
#include "workloads/ops/conv/layout.h"
#include "workloads/ops/conv/views.h"

namespace ipusim::workloads {

/// What a plan has that no steps exist for. Nothing when the plan can be lowered.
std::optional<std::string> withoutSteps(const ConvPlan& plan);

/// A planned convolution on the tiles of one IPU.
class ConvOp {
 public:
  /// `plan` is one without anything that has no steps.
  ConvOp(Graph& graph, const Architecture& machine, const ConvPlan& plan, const std::string& name);

  /// Adds a variable for the weights where the plan wants them. Returns the (groups, out channels,
  /// in channels, kernel...) of it. None for a plan that wants the weights in another form.
  std::optional<Tensor> placeWeights(Lifetime lifetime);

  /// Adds the steps that convolve `input`, a (groups, in channels, batch, field...), with
  /// `weights`, a (groups, out channels, in channels, kernel...). The weights are those that were
  /// placed, if any were. Returns the (groups, out channels, batch, field...) of the result.
  Tensor convolve(const ConvOperands& operands, Lifetime lifetime, Program& program);

 private:
  [[nodiscard]] ConvSite site() { return {graph_, machine_, layout_, name_}; }
  Tensor addStorage(const BlockGrid& grid, const std::string& part, Lifetime lifetime);
  void mapInput(const Tensor& storage);
  void mapWeights(const Tensor& storage);
  void bring(const ConvOperands& operands, Program& program);
  Tensor addUp(ConvPartials partials, Lifetime lifetime, Program& program);
  Tensor inMemory(const Tensor& result, Lifetime lifetime, Program& program);

  Graph& graph_;
  const Architecture& machine_;
  ConvLayout layout_;
  std::string name_;
  Tensor zero_;
  ConvViews views_;
  ConvStorage storage_;
  bool is_placed_ = false;  ///< the weights have their variable
};

}  // namespace ipusim::workloads
