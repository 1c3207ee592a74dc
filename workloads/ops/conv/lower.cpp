// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/lower.h"

#include <algorithm>

#include "workloads/ops/conv/reshaping.h"
#include "workloads/ops/conv/shapes.h"
#include "workloads/ops/conv/turned.h"
#include "workloads/ops/elementwise/cast.h"

namespace ipusim::workloads {

namespace {

/// Spreads `block` over `tiles` in whole rows of the last dimension.
void spread(Graph& graph, const Tensor& block, const std::vector<TileId>& tiles) {
  const std::uint64_t elements = block.elements();
  const std::uint64_t row = block.shape().back();
  const Tensor flat = block.reshape({elements});
  const std::vector<Range> shares = evenRanges(elements, tiles.size(), row);
  for (std::size_t t = 0; t < shares.size(); ++t) {
    if (shares[t].size() == 0) continue;
    graph.setTileMapping(flat.slice(shares[t].begin, shares[t].end, 0), tiles[t]);
  }
}

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

}  // namespace

ConvOp::ConvOp(Graph& graph, const Architecture& machine, const ConvPlan& plan,
               const std::string& name)
    : graph_(graph),
      machine_(machine),
      plan_(plan),
      layout_(stepOf(plan)),
      name_(name),
      zero_(graph.addConstant(plan.params.input, {1}, 0, name + "/zero")),
      views_(layout_.plan(), zero_) {
  graph.mapLinearly(zero_, machine);
}

Tensor ConvOp::addStorage(const BlockGrid& grid, const std::string& part, Lifetime lifetime) {
  Tensor storage =
      graph_.addVariable(plan_.params.input, {grid.elements()}, name_ + part, lifetime);
  const bool is_input = &grid == &layout_.input();
  graph_.setShape(storage, is_input ? storedInputShape(layout_) : storedWeightShape(layout_));
  return storage;
}

void ConvOp::mapInput(const Tensor& storage) {
  for (std::size_t b = 0; b < layout_.input().count(); ++b) {
    spread(graph_, layout_.input().block(storage, b), layout_.usersOfInput(b));
  }
}

void ConvOp::mapWeights(const Tensor& storage) {
  for (std::size_t b = 0; b < layout_.weights().count(); ++b) {
    spread(graph_, layout_.weights().block(storage, b), layout_.usersOfWeights(b));
  }
}

bool ConvOp::hasInputForm() const {
  const ConvTransforms& transforms = plan_.transforms;
  const std::vector<ConvDim>& dims = step().transformed.dims;
  bool is_whole = true;
  for (std::size_t d = 0; d < dims.size(); ++d) {
    is_whole = is_whole && layout_.used(d).begin == 0 && layout_.used(d).end == dims[d].field;
  }
  return is_whole && !transforms.swap && transforms.expand.empty() &&
         transforms.out_chan_flatten.empty() && transforms.combined_groups == 1 &&
         plan_.partition.in_chans_serial == 1;
}

bool ConvOp::hasWeightForm() const {
  const ConvTransforms& transforms = plan_.transforms;
  const std::vector<ConvDim>& dims = step().transformed.dims;
  return !transforms.swap && transforms.expand.empty() && transforms.out_chan_flatten.empty() &&
         transforms.combined_groups == 1 &&
         std::none_of(dims.begin(), dims.end(),
                      [](const ConvDim& dim) { return isCut(dim.weights); });
}

std::optional<Tensor> ConvOp::placeInput(Lifetime lifetime) {
  if (!hasInputForm()) return std::nullopt;
  storage_.input = addStorage(layout_.input(), "/input", lifetime);
  mapInput(storage_.input);
  has_placed_input_ = true;
  Tensor input = withoutExtraDims(
      views_.fromInput(layout_.fromInput(layout_.input().whole(storage_.input))), plan_);
  graph_.setShape(storage_.input, activationShape(input.shape()));
  return input;
}

std::optional<Tensor> ConvOp::placeWeights(Lifetime lifetime) {
  if (!hasWeightForm()) return std::nullopt;
  const std::uint64_t elements = layout_.weights().elements();
  const std::uint32_t steps = plan_.partition.steps();
  placed_weights_ =
      graph_.addVariable(plan_.params.input, {steps * elements}, name_ + "/weights", lifetime);
  std::vector<Tensor> parts;
  for (std::uint32_t s = 0; s < steps; ++s) {
    const Tensor part = placed_weights_.slice(s * elements, (s + 1) * elements, 0);
    mapWeights(part);
    parts.push_back(layout_.fromWeights(layout_.weights().whole(part)));
  }
  has_placed_weights_ = true;
  const ConvParams& params = plan_.params;
  const Tensor weights =
      concat(parts, weightSteps().dim).slice(0, params.out_chans, 1).slice(0, params.in_chans, 2);
  Tensor placed = withoutExtraDims(weights, plan_);
  graph_.setShape(placed_weights_, weightShape(placed.shape()));
  return placed;
}

void ConvOp::takeInput(std::optional<VariableId> variable) {
  has_placed_input_ = variable.has_value();
  if (variable) storage_.input = storage_.input.inVariable(*variable);
}

void ConvOp::takeWeights(std::optional<VariableId> variable) {
  has_placed_weights_ = variable.has_value();
  if (variable) placed_weights_ = placed_weights_.inVariable(*variable);
}

/// Clears the padding of placed weights.
void ConvOp::clearPlacedWeights(const Tensor& weights, Arrivals& arrivals) {
  const std::uint64_t elements = layout_.weights().elements();
  const SerialDim steps = weightSteps();
  for (std::uint32_t s = 0; s < steps.steps; ++s) {
    const std::vector<Tensor> parts =
        layout_.weights().cut(layout_.asWeights(steps.part(weights, s, zero_), zero_));
    const Tensor storage = placed_weights_.slice(s * elements, (s + 1) * elements, 0);
    for (std::size_t b = 0; b < parts.size(); ++b) {
      arrivals.addZeros(parts[b], layout_.weights().block(storage, b));
    }
  }
}

/// Adds the memory of an operand, and what fills it.
Tensor ConvOp::bring(const Tensor& view, const Destination& to, Arrivals& arrivals) {
  Tensor storage = addStorage(to.grid, to.part, Lifetime::Temporary);
  const std::vector<Tensor> parts = to.grid.cut(view);
  const std::uint64_t rows = rowsToTurn(parts, arrivals);
  Tensor arrived;
  if (rows > 1) {
    arrived = addStorage(to.grid, std::string(to.part) + "/arrived", Lifetime::Temporary);
  }
  for (std::size_t b = 0; b < parts.size(); ++b) {
    const std::vector<TileId> tiles = (layout_.*to.users)(b);
    const Tensor block = to.grid.block(storage, b);
    if (rows == 1) {
      spread(graph_, block, tiles);
      arrivals.add(parts[b], block);
      continue;
    }
    const Shape flat{block.elements()};
    addTurned(graph_,
              {parts[b], block.reshape(flat), to.grid.block(arrived, b).reshape(flat), tiles}, rows,
              arrivals);
  }
  return storage;
}

void ConvOp::bringInput(const Tensor& view, Arrivals& arrivals) {
  const Tensor input = layout_.asInput(view, zero_);
  if (!has_placed_input_) {
    storage_.input = bring(input, {layout_.input(), &ConvLayout::usersOfInput, "/input"}, arrivals);
    return;
  }
  const std::vector<Tensor> parts = layout_.input().cut(input);
  for (std::size_t b = 0; b < parts.size(); ++b) {
    arrivals.addZeros(parts[b], layout_.input().block(storage_.input, b));
  }
}

void ConvOp::bringWeights(const Tensor& view, Arrivals& arrivals) {
  storage_.weights = bring(layout_.asWeights(view, zero_),
                           {layout_.weights(), &ConvLayout::usersOfWeights, "/weights"}, arrivals);
}

/// Adds the vertices that multiply, and what adds up their partials. Returns a step's result.
Tensor ConvOp::multiply(ElementType type, Lifetime lifetime, Program& program) {
  const bool is_result = step().partition.reductionDepth() == 1 && step().vertex.partials == type;
  ConvPartials partials =
      addConvolve(site(), storage_, is_result ? lifetime : Lifetime::Temporary, program);
  return addUp(std::move(partials), type, lifetime, program);
}

Tensor ConvOp::addUp(ConvPartials partials, ElementType type, Lifetime lifetime, Program& program) {
  const bool reduces = step().partition.reductionDepth() > 1;
  if (!reduces && step().vertex.partials == type) return partials.storage;
  const BlockGrid& grid = layout_.result();
  Tensor out = graph_.addVariable(type, {grid.elements()}, name_ + "/out", lifetime);
  graph_.setShape(out, storedResultShape(layout_));
  if (!reduces) {
    addCast(graph_, partials.storage, out, name_ + "/Cast", program);
    return out;
  }
  std::vector<PartialBlock> blocks;
  for (std::size_t b = 0; b < grid.count(); ++b) {
    const Tensor block = grid.block(out, b);
    blocks.push_back({std::move(partials.of_block[b]), block.reshape({block.elements()})});
  }
  addReduction(graph_, machine_, std::move(blocks), name_, program);
  return out;
}

/// The (groups, out channels, batch, field...) of a step's result.
Tensor ConvOp::resultOf(const Tensor& storage) const {
  return views_.restored(layout_.fromResult(layout_.result().whole(storage)));
}

/// `result`, or a copy of it where it has zeros.
Tensor ConvOp::inMemory(const Tensor& result, Lifetime lifetime, Program& program) {
  Arrivals arrivals(zero_);
  const std::vector<Tensor::Piece>& pieces = result.pieces();
  const bool has_zeros = std::any_of(pieces.begin(), pieces.end(), [&](const Tensor::Piece& piece) {
    return arrivals.isZero(piece);
  });
  if (!has_zeros) {
    graph_.setShape(result, activationShape(result.shape()));
    return result;
  }
  Tensor copy = graph_.addVariable(result.type(), result.shape(), name_ + "/dilated", lifetime);
  graph_.setShape(copy, activationShape(result.shape()));
  graph_.mapLinearly(copy, machine_);
  arrivals.add(result, copy);
  arrivals.addSteps(graph_, machine_, name_ + "/Dilate", program);
  return copy;
}

Tensor ConvOp::convolve(const ConvOperands& operands, Lifetime lifetime, Program& program) {
  const ConvOperands turned = oriented(operands, plan_.transforms);
  Tensor result;
  if (plan_.partition.steps() > 1) {
    result = convolveInSteps(turned, lifetime, program);
  } else {
    const ConvOperands views = views_.transformed(turned);
    Arrivals arrivals(zero_);
    bringInput(views.input, arrivals);
    if (has_placed_weights_) {
      storage_.weights = placed_weights_;
      clearPlacedWeights(turned.weights, arrivals);
    } else {
      bringWeights(views.weights, arrivals);
    }
    arrivals.addSteps(graph_, machine_, name_ + "/PreArrange", program);
    result = resultOf(multiply(plan_.params.output, lifetime, program));
  }
  return inMemory(withoutOrientation(result, plan_, zero_), lifetime, program);
}

}  // namespace ipusim::workloads
