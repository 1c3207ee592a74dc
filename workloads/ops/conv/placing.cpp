// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workloads/ops/conv/lower.h"
#include "workloads/ops/conv/reshaping.h"
#include "workloads/ops/conv/shapes.h"
#include "workloads/ops/conv/turned.h"

// Operands in variables of their own, which lie where the plan wants them.

namespace ipusim::workloads {

namespace {

bool isCut(const OperandTransform& transform) {
  return transform.trunc_lower + transform.trunc_upper > 0;
}

/// `tensor` without the field dimensions that a plan has added.
Tensor withoutExtraDims(const Tensor& tensor, const ConvPlan& plan) {
  Shape shape = tensor.shape();
  const auto field = shape.begin() + static_cast<std::ptrdiff_t>(kConvField);
  shape.erase(field, field + plan.transforms.extra_dims);
  return tensor.reshape(shape);
}

/// A plain operand with the field dimensions that its plan adds.
Tensor withExtraDims(Tensor operand, const ConvPlan& plan) {
  for (std::uint32_t d = 0; d < plan.transforms.extra_dims; ++d) {
    operand = withDim(operand, kConvField);
  }
  return operand;
}

/// Step `step` of a variable that holds all steps, one after the other.
Tensor stepIn(const Tensor& storage, const BlockGrid& grid, std::uint32_t step) {
  return storage.slice(step * grid.elements(), (step + 1) * grid.elements(), 0);
}

/// Adds what clears the zeros in the parts of an operand, by steps, in the memory for them.
void clear(const std::vector<std::vector<Tensor>>& parts, const Tensor& storage,
           const BlockGrid& grid, Arrivals& arrivals) {
  for (std::uint32_t s = 0; s < parts.size(); ++s) {
    const Tensor step = stepIn(storage, grid, s);
    for (std::size_t b = 0; b < parts[s].size(); ++b) {
      arrivals.addZeros(parts[s][b], grid.block(step, b));
    }
  }
}

/// The shape of an operand of a plan: its groups, two sizes, and a size of each dimension.
Shape operandShape(const ConvParams& params, std::uint64_t first, std::uint64_t second,
                   std::uint64_t ConvDim::*size) {
  Shape shape{params.groups, first, second};
  for (const ConvDim& dim : params.dims) shape.push_back(dim.*size);
  return shape;
}

// The in channels of an input and of weights as they are given.
constexpr std::size_t kInputChannels = 1;
constexpr std::size_t kWeightChannels = 2;

/// Turned unless the channels of an operand follow one another where it comes from.
ConvOp::Arrival arrivalOf(const Tensor& operand, std::size_t channels) {
  const auto in_rows = [channels](const Tensor::Piece& piece) {
    return piece.extent[channels] == 1 || piece.stride[channels] == 1;
  };
  const std::vector<Tensor::Piece>& pieces = operand.pieces();
  return std::all_of(pieces.begin(), pieces.end(), in_rows) ? ConvOp::Arrival::InRows
                                                            : ConvOp::Arrival::Turned;
}

}  // namespace

ConvOp::Destination ConvOp::inputPlace() const {
  return {layout_.input(), &ConvLayout::usersOfInput, form_.input};
}

ConvOp::Destination ConvOp::weightPlace() const {
  return {layout_.weights(), &ConvLayout::usersOfWeights, form_.weights};
}

/// True when an operand in memory is the given one in another order, and no other form of it.
bool ConvOp::isPlain() const {
  const ConvTransforms& transforms = plan_.transforms;
  return !transforms.swap && transforms.expand.empty() && transforms.out_chan_flatten.empty() &&
         transforms.combined_groups == 1;
}

bool ConvOp::hasInputForm() const {
  const std::vector<ConvDim>& dims = step().transformed.dims;
  bool is_whole = true;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    is_whole = is_whole && layout_.used(d).begin == 0 && layout_.used(d).end == dims[d].field;
  }
  return is_whole && isPlain();
}

bool ConvOp::hasWeightForm() const {
  const std::vector<ConvDim>& dims = step().transformed.dims;
  return isPlain() && std::none_of(dims.begin(), dims.end(),
                                   [](const ConvDim& dim) { return isCut(dim.weights); });
}

void ConvOp::mapPlaced(const Tensor& storage, const Destination& to) {
  const std::uint64_t steps = storage.elements() / to.grid.elements();
  for (std::uint32_t s = 0; s < steps; ++s) {
    const Tensor step = stepIn(storage, to.grid, s);
    for (std::size_t b = 0; b < to.grid.count(); ++b) {
      const Tensor block = to.grid.block(step, b);
      mapShares(graph_, block.reshape({block.elements()}), block.shape(), (layout_.*to.users)(b));
    }
  }
}

Tensor ConvOp::addPlaced(const Destination& to, std::uint32_t steps, const std::string& name,
                         ElementType type, Lifetime lifetime) {
  Tensor storage = graph_.addVariable(type, {steps * to.grid.elements()}, name, lifetime);
  mapPlaced(storage, to);
  return storage;
}

bool ConvOp::placeInput(Lifetime lifetime) {
  if (!hasInputForm()) return false;
  const ConvParams& params = plan_.params;
  placed_input_ =
      addPlaced(inputPlace(), inputSteps().steps, name_ + form_.input, params.input, lifetime);
  graph_.setShape(placed_input_, form_.shapes.activations(operandShape(
                                     params, params.in_chans, params.batch, &ConvDim::field)));
  has_placed_input_ = true;
  return true;
}

bool ConvOp::placeWeights(Lifetime lifetime) {
  if (!hasWeightForm()) return false;
  const ConvParams& params = plan_.params;
  placed_weights_ =
      addPlaced(weightPlace(), weightSteps().steps, name_ + form_.weights, params.input, lifetime);
  graph_.setShape(placed_weights_,
                  form_.shapes.weights(
                      operandShape(params, params.out_chans, params.in_chans, &ConvDim::kernel)));
  has_placed_weights_ = true;
  return true;
}

/// The input of all steps in `storage`.
Tensor ConvOp::inputIn(const Tensor& storage) const {
  const BlockGrid& grid = layout_.input();
  const SerialDim steps = inputSteps();
  std::vector<Tensor> parts;
  for (std::uint32_t s = 0; s < steps.steps; ++s) {
    parts.push_back(views_.fromInput(layout_.fromInput(grid.whole(stepIn(storage, grid, s)))));
  }
  return withoutExtraDims(concat(parts, steps.dim).slice(0, plan_.params.in_chans, steps.dim),
                          plan_);
}

/// The weights of all steps in `storage`.
Tensor ConvOp::weightsIn(const Tensor& storage) const {
  const BlockGrid& grid = layout_.weights();
  const SerialDim steps = weightSteps();
  std::vector<Tensor> parts;
  for (std::uint32_t s = 0; s < steps.steps; ++s) {
    parts.push_back(layout_.fromWeights(grid.whole(stepIn(storage, grid, s))));
  }
  const ConvParams& params = plan_.params;
  return withoutExtraDims(
      concat(parts, steps.dim).slice(0, params.out_chans, 1).slice(0, params.in_chans, 2), plan_);
}

Tensor ConvOp::placedInput() const {
  return inputIn(placed_input_);
}

Tensor ConvOp::placedWeights() const {
  return weightsIn(placed_weights_);
}

void ConvOp::takeInput(std::optional<VariableId> variable) {
  has_placed_input_ = variable.has_value();
  if (variable) placed_input_ = placed_input_.inVariable(*variable);
}

void ConvOp::takeWeights(std::optional<VariableId> variable) {
  has_placed_weights_ = variable.has_value();
  if (variable) placed_weights_ = placed_weights_.inVariable(*variable);
}

/// An oriented input of which all steps are placed.
ConvOp::SteppedParts ConvOp::inputByStep(const Tensor& input) const {
  const SerialDim steps = inputSteps();
  SteppedParts parts;
  for (std::uint32_t s = 0; s < steps.steps; ++s) {
    parts.push_back(
        layout_.input().cut(layout_.asInput(views_.asInput(steps.part(input, s, zero_)), zero_)));
  }
  return parts;
}

/// Oriented weights of which all steps are placed.
ConvOp::SteppedParts ConvOp::weightsByStep(const Tensor& weights) const {
  const SerialDim steps = weightSteps();
  SteppedParts parts;
  for (std::uint32_t s = 0; s < steps.steps; ++s) {
    parts.push_back(layout_.weights().cut(
        layout_.asWeights(steps.part(weights, s, weightPadding()), zero_, out_padding_)));
  }
  return parts;
}

/// Adds what fills a placed operand. Where its rows do not follow one another, matrices arrive as
/// they are and are transposed on the tiles.
void ConvOp::fill(const Source& source, const Tensor& storage, const Destination& to,
                  const std::string& name, Arrivals& arrivals) {
  const SteppedParts& parts = source.parts;
  std::optional<Tensor> arrived;
  if (source.arrival == Arrival::Turned) {
    arrived = graph_.addVariable(storage.type(), storage.shape(), name + "/arrived");
  }
  for (std::uint32_t s = 0; s < parts.size(); ++s) {
    const Tensor step = stepIn(storage, to.grid, s);
    for (std::size_t b = 0; b < parts[s].size(); ++b) {
      const Tensor block = to.grid.block(step, b);
      if (!arrived) {
        arrivals.add(parts[s][b], block);
        continue;
      }
      const Shape flat{block.elements()};
      const std::vector<TileId> tiles = (layout_.*to.users)(b);
      addTurnedShares(graph_,
                      {parts[s][b], block.reshape(flat),
                       to.grid.block(stepIn(*arrived, to.grid, s), b).reshape(flat), tiles},
                      arrivals);
    }
  }
}

/// Adds what clears the padding of the placed input.
void ConvOp::clearInput(Arrivals& arrivals) const {
  const ConvParams& params = plan_.params;
  const Shape shape = operandShape(params, params.in_chans, params.batch, &ConvDim::field);
  const Tensor input = withExtraDims(anyData(params.input, shape), plan_);
  clear(inputByStep(input), placed_input_, layout_.input(), arrivals);
}

/// Adds what clears the padding of the placed weights.
void ConvOp::clearWeights(Arrivals& arrivals) const {
  const ConvParams& params = plan_.params;
  const Shape shape = operandShape(params, params.out_chans, params.in_chans, &ConvDim::kernel);
  const Tensor weights = withExtraDims(anyData(params.input, shape), plan_);
  clear(weightsByStep(weights), placed_weights_, layout_.weights(), arrivals);
}

void ConvOp::fillPlaced(const Tensor* input, const Tensor* weights, Program& program) {
  Arrivals arrivals;
  if (input == nullptr) {
    clearInput(arrivals);
  } else {
    fill({inputByStep(withExtraDims(*input, plan_)), arrivalOf(*input, kInputChannels)},
         placed_input_, inputPlace(), name_ + form_.input, arrivals);
  }
  if (weights == nullptr) {
    clearWeights(arrivals);
  } else {
    fill({weightsByStep(withExtraDims(*weights, plan_)), arrivalOf(*weights, kWeightChannels)},
         placed_weights_, weightPlace(), name_ + form_.weights, arrivals);
  }
  arrivals.addSteps(graph_, machine_, name_ + "/PreArrange", program);
}

Tensor ConvOp::arrangedAsInput(const Tensor& values, const std::string& name, Program& program) {
  const Tensor storage =
      addPlaced(inputPlace(), inputSteps().steps, name, values.type(), Lifetime::Temporary);
  Arrivals arrivals;
  fill({inputByStep(withExtraDims(values, plan_)), arrivalOf(values, kInputChannels)}, storage,
       inputPlace(), name, arrivals);
  arrivals.addSteps(graph_, machine_, name, program);
  return inputIn(storage);
}

Tensor ConvOp::arrangedAsWeights(const Tensor& values, const std::string& name, Program& program) {
  const Tensor storage =
      addPlaced(weightPlace(), weightSteps().steps, name, values.type(), Lifetime::Temporary);
  Arrivals arrivals;
  fill({weightsByStep(withExtraDims(values, plan_)), arrivalOf(values, kWeightChannels)}, storage,
       weightPlace(), name, arrivals);
  arrivals.addSteps(graph_, machine_, name, program);
  return weightsIn(storage);
}

}  // namespace ipusim::workloads
