// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/conv/lower.h"

#include <algorithm>

#include "workloads/ops/conv/reshaping.h"
#include "workloads/ops/conv/shapes.h"
#include "workloads/ops/conv/transposed_blocks.h"
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

}  // namespace

ConvOp::ConvOp(Graph& graph, const Architecture& machine, const ConvPlan& plan,
               const std::string& name, const ConvForm& form)
    : graph_(graph),
      machine_(machine),
      plan_(plan),
      layout_(stepOf(plan)),
      name_(name),
      form_(form),
      zero_(zeroFor(plan.params.input)),
      out_padding_(form.out_padding == OutPadding::Zeros ? zero_ : anythingFor(plan.params.input)),
      views_(layout_.plan(), zero_) {}

Tensor ConvOp::addStorage(const BlockGrid& grid, const std::string& part, Lifetime lifetime) {
  Tensor storage =
      graph_.addVariable(plan_.params.input, {grid.elements()}, name_ + part, lifetime);
  const bool is_input = &grid == &layout_.input();
  graph_.setShape(storage, is_input ? storedInputShape(layout_, form_.shapes)
                                    : storedWeightShape(layout_, form_.shapes));
  return storage;
}

/// Adds the memory of an operand, and what fills it.
Tensor ConvOp::bring(const Tensor& view, const Destination& to, Arrivals& arrivals) {
  Tensor storage = addStorage(to.grid, to.part, Lifetime::Temporary);
  const std::vector<Tensor> parts = to.grid.cut(view);
  const std::uint64_t rows = rowsToTurn(parts);
  Tensor arrived;
  if (rows > 1) arrived = addStorage(to.grid, to.part + "/arrived", Lifetime::Temporary);
  for (std::size_t b = 0; b < parts.size(); ++b) {
    const std::vector<TileId> tiles = (layout_.*to.users)(b);
    const Tensor block = to.grid.block(storage, b);
    if (rows == 1) {
      spread(graph_, block, tiles);
      arrivals.add(parts[b], block);
      continue;
    }
    const Shape flat{block.elements()};
    addTransposed(graph_,
                  {parts[b], block.reshape(flat), to.grid.block(arrived, b).reshape(flat), tiles},
                  rows, arrivals);
  }
  return storage;
}

void ConvOp::bringInput(const Tensor& view, Arrivals& arrivals) {
  if (has_placed_input_) {
    storage_.input = placed_input_;
    clearInput(arrivals);
  } else {
    storage_.input = bring(layout_.asInput(view, zero_), inputPlace(), arrivals);
  }
}

void ConvOp::bringWeights(const Tensor& view, Arrivals& arrivals) {
  storage_.weights = bring(layout_.asWeights(view, zero_, out_padding_), weightPlace(), arrivals);
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
  graph_.setShape(out, storedResultShape(layout_, form_.shapes));
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
  Arrivals arrivals;
  const std::vector<Tensor::Piece>& pieces = result.pieces();
  const bool has_zeros = std::any_of(pieces.begin(), pieces.end(), [&](const Tensor::Piece& piece) {
    return Arrivals::isPadding(piece);
  });
  if (!has_zeros) {
    graph_.setShape(result, form_.shapes.activations(result.shape()));
    return result;
  }
  Tensor copy = graph_.addVariable(result.type(), result.shape(), name_ + "/dilated", lifetime);
  graph_.setShape(copy, form_.shapes.activations(result.shape()));
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
    Arrivals arrivals;
    bringInput(views.input, arrivals);
    if (has_placed_weights_) {
      storage_.weights = placed_weights_;
      clearWeights(arrivals);
    } else {
      bringWeights(views.weights, arrivals);
    }
    arrivals.addSteps(graph_, machine_, name_ + "/PreArrange", program);
    result = resultOf(multiply(plan_.params.output, lifetime, program));
  }
  return inMemory(withoutOrientation(result, plan_, zero_), lifetime, program);
}

}  // namespace ipusim::workloads
