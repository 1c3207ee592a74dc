// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "workloads/ops/conv/lower.h"
#include "workloads/ops/conv/reshaping.h"
#include "workloads/ops/conv/transposed_blocks.h"

// Operands in variables of their own, which lie where the plan wants them.

namespace ipusim::workloads {

namespace {

bool isCut(const OperandTransform& transform) {
  return transform.trunc_lower + transform.trunc_upper > 0;
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
  return {layout_.input(), &ConvLayout::usersOfInput, form_.input, ShareGrain::Rows};
}

ConvOp::Destination ConvOp::weightPlace() const {
  return {layout_.weights(), &ConvLayout::usersOfWeights, form_.weights, ShareGrain::Units};
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
      const std::vector<TileId> tiles = (layout_.*to.users)(b);
      mapShares(graph_, block.reshape({block.elements()}), {block.shape(), tiles, to.grain});
    }
  }
}

Tensor ConvOp::addPlaced(const Destination& to, std::uint32_t steps, const std::string& name,
                         ElementType type, Lifetime lifetime) {
  Tensor storage = graph_.addVariable(type, {steps * to.grid.elements()}, name, lifetime);
  mapPlaced(storage, to);
  return storage;
}

/// The (groups, in channels, batch, field...) of the input as it is given.
Shape ConvOp::inputShape() const {
  const ConvParams& params = plan_.params;
  return operandShape(params, params.in_chans, params.batch, &ConvDim::field);
}

/// The (groups, out channels, in channels, kernel...) of the weights as they are given.
Shape ConvOp::weightShape() const {
  const ConvParams& params = plan_.params;
  return operandShape(params, params.out_chans, params.in_chans, &ConvDim::kernel);
}

bool ConvOp::placeInput(Lifetime lifetime) {
  if (!hasInputForm()) return false;
  placed_input_ = addPlaced(inputPlace(), inputSteps().steps, name_ + form_.input,
                            plan_.params.input, lifetime);
  graph_.setShape(placed_input_, form_.shapes.activations(inputShape()));
  has_placed_input_ = true;
  return true;
}

bool ConvOp::placeWeights(Lifetime lifetime) {
  if (!hasWeightForm()) return false;
  placed_weights_ = addPlaced(weightPlace(), weightSteps().steps, name_ + form_.weights,
                              plan_.params.input, lifetime);
  graph_.setShape(placed_weights_, form_.shapes.weights(weightShape()));
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
                          plan_.transforms);
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
      concat(parts, steps.dim).slice(0, params.out_chans, 1).slice(0, params.in_chans, 2),
      plan_.transforms);
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

/// The blocks of an input of which all steps are placed.
ConvOp::SteppedParts ConvOp::inputByStep(const Tensor& given) const {
  const SerialDim steps = inputSteps();
  const Tensor input = withExtraDims(given, plan_.transforms);
  SteppedParts parts;
  for (std::uint32_t s = 0; s < steps.steps; ++s) {
    parts.push_back(
        layout_.input().cut(layout_.asInput(views_.asInput(steps.part(input, s, zero_)), zero_)));
  }
  return parts;
}

/// The blocks of weights of which all steps are placed.
ConvOp::SteppedParts ConvOp::weightsByStep(const Tensor& given) const {
  const SerialDim steps = weightSteps();
  const Tensor weights = withExtraDims(given, plan_.transforms);
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
      addTransposedShares(graph_,
                          {parts[s][b], block.reshape(flat),
                           to.grid.block(stepIn(*arrived, to.grid, s), b).reshape(flat), tiles},
                          to.grain, arrivals);
    }
  }
}

/// Adds what clears the padding of the placed input.
void ConvOp::clearInput(Arrivals& arrivals) const {
  clear(inputByStep(anyData(plan_.params.input, inputShape())), placed_input_, layout_.input(),
        arrivals);
}

/// Adds what clears the padding of the placed weights.
void ConvOp::clearWeights(Arrivals& arrivals) const {
  clear(weightsByStep(anyData(plan_.params.input, weightShape())), placed_weights_,
        layout_.weights(), arrivals);
}

ConvOp::Source ConvOp::sourceOfInput(const Tensor& input) const {
  return {inputByStep(input), arrivalOf(input, kInputInChans)};
}

ConvOp::Source ConvOp::sourceOfWeights(const Tensor& weights) const {
  return {weightsByStep(weights), arrivalOf(weights, kWeightInChans)};
}

void ConvOp::fillPlaced(const Tensor* input, const Tensor* weights, Program& program) {
  Arrivals arrivals;
  if (input == nullptr) {
    clearInput(arrivals);
  } else {
    fill(sourceOfInput(*input), placed_input_, inputPlace(), name_ + form_.input, arrivals);
  }
  if (weights == nullptr) {
    clearWeights(arrivals);
  } else {
    fill(sourceOfWeights(*weights), placed_weights_, weightPlace(), name_ + form_.weights,
         arrivals);
  }
  arrivals.addSteps(graph_, machine_, name_ + "/PreArrange", program);
}

}  // namespace ipusim::workloads
