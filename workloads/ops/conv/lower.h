// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "ipusim/graph.h"
#include "workloads/ops/conv/arrivals.h"
#include "workloads/ops/conv/convolve.h"
#include "workloads/ops/conv/layout.h"
#include "workloads/ops/conv/step.h"
#include "workloads/ops/conv/views.h"

namespace ipusim::workloads {

class SerialLoop;

/// A planned convolution on the tiles of one IPU. A plan in serial steps becomes a loop, which
/// takes the channels of a step out of the operands, transforms them and convolves them.
class ConvOp {
 public:
  ConvOp(Graph& graph, const Architecture& machine, const ConvPlan& plan, const std::string& name);

  /// Adds a variable for the input where the plan wants it. Returns the (groups, in channels,
  /// batch, field...) of it. None for a plan that wants the input in another form, or in steps.
  std::optional<Tensor> placeInput(Lifetime lifetime);

  /// Adds a variable for the weights where the plan wants them. Returns the (groups, out channels,
  /// in channels, kernel...) of it. None for a plan that wants the weights in another form.
  std::optional<Tensor> placeWeights(Lifetime lifetime);

  /// After the operand was placed: takes a variable that exists already, of the elements and the
  /// mapping of the placed one, in place of that. With none, the operand counts as not placed.
  void takeInput(std::optional<VariableId> variable);
  void takeWeights(std::optional<VariableId> variable);

  /// Adds the steps that convolve `input`, a (groups, in channels, batch, field...), with
  /// `weights`, a (groups, out channels, in channels, kernel...). Operands that were placed are
  /// those that are given. Returns the (groups, out channels, batch, field...) of the result.
  Tensor convolve(const ConvOperands& operands, Lifetime lifetime, Program& program);

 private:
  [[nodiscard]] ConvSite site() { return {graph_, machine_, layout_, name_}; }
  [[nodiscard]] const ConvPlan& step() const { return layout_.plan(); }
  [[nodiscard]] SerialDim weightSteps() const;
  [[nodiscard]] bool hasInputForm() const;
  [[nodiscard]] bool hasWeightForm() const;
  Tensor addStorage(const BlockGrid& grid, const std::string& part, Lifetime lifetime);
  void mapInput(const Tensor& storage);
  void mapWeights(const Tensor& storage);
  void clearPlacedWeights(const Tensor& weights, Arrivals& arrivals);
  /// Where a part of an operand goes.
  struct Destination {
    const BlockGrid& grid;
    std::vector<TileId> (ConvLayout::*users)(std::size_t block) const;
    const char* part;
  };
  Tensor bring(const Tensor& view, const Destination& to, Arrivals& arrivals);
  void bringInput(const Tensor& view, Arrivals& arrivals);
  void bringWeights(const Tensor& view, Arrivals& arrivals);
  /// An operand that is taken step by step, and the shape of what it stands for.
  struct SteppedOperand {
    Tensor tensor;
    SerialDim steps;
    std::string name;
    Shape (*shape_of)(const Shape& grouped);
  };
  Tensor takeStep(const SteppedOperand& operand, SerialLoop& loop, Program& program);
  Tensor convolveInSteps(const ConvOperands& operands, Lifetime lifetime, Program& program);
  void bringStep(const ConvOperands& operands, SerialLoop& loop, Program& program);
  Tensor multiply(ElementType type, Lifetime lifetime, Program& program);
  Tensor addUp(ConvPartials partials, ElementType type, Lifetime lifetime, Program& program);
  [[nodiscard]] Tensor resultOf(const Tensor& storage) const;
  Tensor inMemory(const Tensor& result, Lifetime lifetime, Program& program);

  Graph& graph_;
  const Architecture& machine_;
  ConvPlan plan_;
  ConvLayout layout_;  ///< of a step
  std::string name_;
  Tensor zero_;
  ConvViews views_;
  ConvStorage storage_;    ///< of a step
  Tensor placed_weights_;  ///< all steps, one after the other, when the weights have their variable
  bool has_placed_input_ = false;
  bool has_placed_weights_ = false;
};

}  // namespace ipusim::workloads
