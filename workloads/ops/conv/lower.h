// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "ipusim/graph.h"
#include "workloads/ops/conv/arrivals.h"
#include "workloads/ops/conv/convolve.h"
#include "workloads/ops/conv/layout.h"
#include "workloads/ops/conv/step.h"
#include "workloads/ops/conv/transposed_blocks.h"
#include "workloads/ops/conv/views.h"

namespace ipusim::workloads {

class SerialLoop;

/// What the last grain of a convolution's out channels holds in the weights. Its results have no
/// use.
enum class OutPadding : std::uint8_t { Zeros, Anything };

/// What a convolution is built for.
struct ConvForm {
  std::string input = "/input";      ///< ends the name of the input
  std::string weights = "/weights";  ///< ends the name of the weights
  ConvShapes shapes = {};            ///< that reports give to operands and result
  OutPadding out_padding = OutPadding::Zeros;
};

/// A planned convolution on the tiles of one IPU. A plan in serial steps becomes a loop, which
/// takes the channels of a step out of the operands, transforms them and convolves them.
class ConvOp {
 public:
  /// How an operand comes to its variable: as it lies there, or to be transposed on the tiles.
  enum class Arrival : std::uint8_t { InRows, Turned };

  ConvOp(Graph& graph, const Architecture& machine, const ConvPlan& plan, const std::string& name,
         const ConvForm& form = {});
  ConvOp(const ConvOp&) = delete;
  ConvOp& operator=(const ConvOp&) = delete;

  /// Adds a variable for the input where the plan wants it, all serial steps one after the other.
  /// False for a plan that wants the input in another form.
  bool placeInput(Lifetime lifetime);
  /// As placeInput, for the weights.
  bool placeWeights(Lifetime lifetime);

  /// The placed input as (groups, in channels, batch, field...). Of many pieces.
  [[nodiscard]] Tensor placedInput() const;
  /// The placed weights as (groups, out channels, in channels, kernel...). Of many pieces.
  [[nodiscard]] Tensor placedWeights() const;

  /// After the operand was placed: takes a variable that exists already, of the elements and the
  /// mapping of the placed one, in place of that. With none, the operand counts as not placed.
  void takeInput(std::optional<VariableId> variable);
  void takeWeights(std::optional<VariableId> variable);

  /// After both operands were placed: adds the steps that fill them with what is mapped anyhow. An
  /// operand that is null is in its place, and gets its padding cleared.
  void fillPlaced(const Tensor* input, const Tensor* weights, Program& program);

  /// As convolve(), on placed operands whose padding is cleared.
  Tensor convolvePlaced(Lifetime lifetime, Program& program);

  /// Adds the steps that convolve `input`, a (groups, in channels, batch, field...), with
  /// `weights`, a (groups, out channels, in channels, kernel...). Operands that were placed are
  /// those that are given. Returns the (groups, out channels, batch, field...) of the result.
  Tensor convolve(const ConvOperands& operands, Lifetime lifetime, Program& program);

 private:
  [[nodiscard]] ConvSite site() { return {graph_, machine_, layout_, name_, form_.shapes}; }
  [[nodiscard]] const ConvPlan& step() const { return layout_.plan(); }
  [[nodiscard]] SerialDim inputSteps() const;
  [[nodiscard]] SerialDim weightSteps() const;
  [[nodiscard]] const Tensor& weightPadding() const;
  [[nodiscard]] bool isPlain() const;
  [[nodiscard]] bool hasInputForm() const;
  [[nodiscard]] bool hasWeightForm() const;
  Tensor addStorage(const BlockGrid& grid, const std::string& part, Lifetime lifetime);
  /// Where a part of an operand goes.
  struct Destination {
    const BlockGrid& grid;
    std::vector<TileId> (ConvLayout::*users)(std::size_t block) const;
    std::string part;
    ShareGrain grain;
  };
  [[nodiscard]] Destination inputPlace() const;
  [[nodiscard]] Destination weightPlace() const;
  void mapPlaced(const Tensor& storage, const Destination& to);
  [[nodiscard]] Shape inputShape() const;
  [[nodiscard]] Shape weightShape() const;
  [[nodiscard]] Tensor inputIn(const Tensor& storage) const;
  [[nodiscard]] Tensor weightsIn(const Tensor& storage) const;
  /// An operand by steps, each in the parts of its blocks.
  using SteppedParts = std::vector<std::vector<Tensor>>;
  [[nodiscard]] SteppedParts inputByStep(const Tensor& given) const;
  [[nodiscard]] SteppedParts weightsByStep(const Tensor& given) const;
  Tensor addPlaced(const Destination& to, std::uint32_t steps, const std::string& name,
                   ElementType type, Lifetime lifetime);
  /// What a placed operand is filled with.
  struct Source {
    SteppedParts parts;
    Arrival arrival;
  };
  [[nodiscard]] Source sourceOfInput(const Tensor& input) const;
  [[nodiscard]] Source sourceOfWeights(const Tensor& weights) const;
  void fill(const Source& source, const Tensor& storage, const Destination& to,
            const std::string& name, Arrivals& arrivals);
  void clearInput(Arrivals& arrivals) const;
  void clearWeights(Arrivals& arrivals) const;
  void sliceInput(SerialLoop& loop);
  void sliceWeights(SerialLoop& loop);
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
  Tensor multiplyInSteps(SerialLoop& loop, Lifetime lifetime, Program& program);
  Tensor multiply(ElementType type, Lifetime lifetime, Program& program);
  Tensor addUp(ConvPartials partials, ElementType type, Lifetime lifetime, Program& program);
  [[nodiscard]] Tensor resultOf(const Tensor& storage) const;
  Tensor inMemory(const Tensor& result, Lifetime lifetime, Program& program);

  Graph& graph_;
  const Architecture& machine_;
  ConvPlan plan_;
  ConvLayout layout_;  ///< of a step
  std::string name_;
  ConvForm form_;
  Tensor zero_;
  Tensor out_padding_;
  ConvViews views_;
  ConvStorage storage_;  ///< of a step
  /// All steps, one after the other, when the operand has its variable.
  Tensor placed_input_;
  Tensor placed_weights_;
  bool has_placed_input_ = false;
  bool has_placed_weights_ = false;
};

}  // namespace ipusim::workloads
