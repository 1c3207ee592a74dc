// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/lower.h"

#include <algorithm>

#include "workloads/ops/elementwise/cast.h"
#include "workloads/ops/fill/zero.h"

namespace ipusim::workloads {

namespace {

bool isZero(const Tensor::Piece& piece, const Tensor& zero) {
  return piece.variable == zero.pieces().front().variable;
}

/// Fills tensors from views in which one element stands for all zeros.
class Arrivals {
 public:
  explicit Arrivals(Tensor zero) : zero_(std::move(zero)) {}

  void add(const Tensor& from, const Tensor& to) {
    for (const Tensor::Piece& piece : from.pieces()) {
      const Tensor target = boxOf(to, piece);
      if (isZero(piece, zero_)) {
        zeros_.push_back(target);
      } else {
        pairs_.push_back({tensorOf(piece, from.type()), target});
      }
    }
  }

  /// Adds zeros only: what is not zero is there already.
  void addZeros(const Tensor& from, const Tensor& to) {
    for (const Tensor::Piece& piece : from.pieces()) {
      if (isZero(piece, zero_)) zeros_.push_back(boxOf(to, piece));
    }
  }

  /// Adds at most one copy, and one step that clears.
  void addSteps(Graph& graph, const Architecture& machine, const std::string& name,
                Program& program) const {
    if (!pairs_.empty()) program.add(graph.copy(pairs_, name));
    if (!zeros_.empty()) addZero(graph, machine, zeros_, name + "/Padding", program);
  }

 private:
  /// A slice of the tensor that has the piece would look at all of its pieces.
  static Tensor tensorOf(const Tensor::Piece& piece, ElementType type) {
    Section section{piece.variable, {piece.offset}};
    for (std::size_t d = 0; d < piece.extent.size(); ++d) {
      section.walk.addInside({piece.extent[d], VariableElements(piece.stride[d])});
    }
    return Tensor(section, type).reshape(Shape(piece.extent.begin(), piece.extent.end()));
  }

  /// Where `piece` of another tensor of this shape belongs.
  static Tensor boxOf(const Tensor& tensor, const Tensor::Piece& piece) {
    Tensor box = tensor;
    for (std::size_t d = 0; d < piece.extent.size(); ++d) {
      box = box.slice(piece.begin[d], piece.begin[d] + piece.extent[d], d);
    }
    return box;
  }

  Tensor zero_;
  std::vector<CopyPair> pairs_;
  std::vector<Tensor> zeros_;
};

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

}  // namespace

std::optional<std::string> withoutSteps(const ConvPlan& plan) {
  if (plan.partition.steps() > 1) return "a convolution in serial steps";
  return std::nullopt;
}

ConvOp::ConvOp(Graph& graph, const Architecture& machine, const ConvPlan& plan,
               const std::string& name)
    : graph_(graph),
      machine_(machine),
      layout_(plan),
      name_(name),
      zero_(graph.addConstant(plan.params.input, {1}, 0, name + "/zero")),
      views_(layout_.plan(), zero_) {
  graph.mapLinearly(zero_, machine);
}

Tensor ConvOp::addStorage(const BlockGrid& grid, const std::string& part, Lifetime lifetime) {
  return graph_.addVariable(layout_.plan().params.input, {grid.elements()}, name_ + part, lifetime);
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

std::optional<Tensor> ConvOp::placeWeights(Lifetime lifetime) {
  const ConvTransforms& transforms = layout_.plan().transforms;
  const auto is_cut = [](const ConvDim& dim) {
    return dim.weights.trunc_lower + dim.weights.trunc_upper > 0;
  };
  const std::vector<ConvDim>& dims = layout_.plan().transformed.dims;
  const bool has_own_form =
      transforms.swap || !transforms.expand.empty() || !transforms.out_chan_flatten.empty() ||
      transforms.combined_groups > 1 || std::any_of(dims.begin(), dims.end(), is_cut);
  if (has_own_form) return std::nullopt;
  storage_.weights = addStorage(layout_.weights(), "/weights", lifetime);
  mapWeights(storage_.weights);
  is_placed_ = true;
  const Tensor weights = layout_.fromWeights(layout_.weights().whole(storage_.weights));
  Shape shape = weights.shape();
  const auto field = shape.begin() + 3;
  shape.erase(field, field + transforms.extra_dims);
  return weights.reshape(shape);
}

void ConvOp::bring(const ConvOperands& operands, Program& program) {
  storage_.input = addStorage(layout_.input(), "/input", Lifetime::Temporary);
  mapInput(storage_.input);
  if (!is_placed_) {
    storage_.weights = addStorage(layout_.weights(), "/weights", Lifetime::Temporary);
    mapWeights(storage_.weights);
  }
  const ConvOperands views = views_.transformed(operands);
  Arrivals arrivals(zero_);
  const std::vector<Tensor> inputs = layout_.input().cut(layout_.asInput(views.input, zero_));
  for (std::size_t b = 0; b < inputs.size(); ++b) {
    arrivals.add(inputs[b], layout_.input().block(storage_.input, b));
  }
  const std::vector<Tensor> weights =
      layout_.weights().cut(layout_.asWeights(views.weights, zero_));
  for (std::size_t b = 0; b < weights.size(); ++b) {
    const Tensor block = layout_.weights().block(storage_.weights, b);
    is_placed_ ? arrivals.addZeros(weights[b], block) : arrivals.add(weights[b], block);
  }
  arrivals.addSteps(graph_, machine_, name_ + "/PreArrange", program);
}

Tensor ConvOp::addUp(ConvPartials partials, Lifetime lifetime, Program& program) {
  const ConvPlan& plan = layout_.plan();
  const ElementType type = plan.params.output;
  const bool reduces = plan.partition.reductionDepth() > 1;
  if (!reduces && plan.vertex.partials == type) return partials.storage;
  const BlockGrid& grid = layout_.result();
  Tensor out = graph_.addVariable(type, {grid.elements()}, name_ + "/out", lifetime);
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

/// `result`, or a copy of it where it has zeros.
Tensor ConvOp::inMemory(const Tensor& result, Lifetime lifetime, Program& program) {
  const std::vector<Tensor::Piece>& pieces = result.pieces();
  const bool has_zeros = std::any_of(pieces.begin(), pieces.end(), [&](const Tensor::Piece& piece) {
    return isZero(piece, zero_);
  });
  if (!has_zeros) return result;
  Tensor copy = graph_.addVariable(result.type(), result.shape(), name_ + "/dilated", lifetime);
  graph_.mapLinearly(copy, machine_);
  Arrivals arrivals(zero_);
  arrivals.add(result, copy);
  arrivals.addSteps(graph_, machine_, name_ + "/Dilate", program);
  return copy;
}

Tensor ConvOp::convolve(const ConvOperands& operands, Lifetime lifetime, Program& program) {
  bring(operands, program);
  const ConvPlan& plan = layout_.plan();
  const bool is_result =
      plan.partition.reductionDepth() == 1 && plan.vertex.partials == plan.params.output;
  ConvPartials partials =
      addConvolve(site(), storage_, is_result ? lifetime : Lifetime::Temporary, program);
  const Tensor out = addUp(std::move(partials), lifetime, program);
  const Tensor result = layout_.fromResult(layout_.result().whole(out));
  return inMemory(views_.restored(result), lifetime, program);
}

}  // namespace ipusim::workloads
