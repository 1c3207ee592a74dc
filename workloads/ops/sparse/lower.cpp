// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/sparse/lower.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "models/ipu/cost/exchange/exchange.h"
#include "workloads/ops/conv/reduce.h"
#include "workloads/ops/elementwise/cast.h"
#include "workloads/vertices/movement/data_movement.h"

namespace ipusim::workloads {

namespace {

/// The rows of a dense chunk that a tile receives, and the place of each.
struct ReceivedRows {
  std::vector<std::pair<std::uint64_t, std::uint64_t>> runs;  ///< [begin, end), in order
  std::uint64_t rows = 0;
  std::vector<std::uint32_t> place;  ///< one entry per row of the chunk
};

ReceivedRows allRows(std::uint64_t rows) {
  ReceivedRows received{{{0, rows}}, rows, {}};
  for (std::uint32_t row = 0; row < rows; ++row) received.place.push_back(row);
  return received;
}

ReceivedRows rowsMet(const std::vector<BlockPosition>& blocks, std::uint64_t rows) {
  std::vector<bool> met(rows, false);
  for (const BlockPosition& block : blocks) met[block.column] = true;
  ReceivedRows received{{}, 0, std::vector<std::uint32_t>(rows, 0)};
  for (std::uint64_t row = 0; row < rows; ++row) {
    if (!met[row]) continue;
    received.place[row] = static_cast<std::uint32_t>(received.rows++);
    if (received.runs.empty() || received.runs.back().second != row) {
      received.runs.emplace_back(row, row);
    }
    ++received.runs.back().second;
  }
  return received;
}

class SparseLowering {
 public:
  SparseLowering(Graph& graph, const Architecture& machine, const SparseProblem& problem,
                 SparseProduct& product, const std::string& name)
      : graph_(graph),
        machine_(machine),
        problem_(problem),
        layout_(product.layout),
        product_(product),
        compute_set_(graph.addComputeSet(name + "/Multiply")),
        name_(name) {}

  Tensor run() {
    const SparseSplits& splits = layout_.splits();
    const bool one = splits.inner == 1 && problem_.partials == problem_.output;
    partials_ = graph_.addVariable(
        problem_.partials, {problem_.pattern.rows * problem_.columns * splits.inner},
        name_ + "/partials", one ? Lifetime::Always : Lifetime::Temporary);
    Shape shape{problem_.pattern.rows, problem_.columns};
    if (splits.inner > 1) shape.insert(shape.begin(), splits.inner);
    graph_.setShape(partials_, std::move(shape));
    std::vector<PartialBlock> blocks(splits.columns * splits.rows);
    for (std::uint64_t x = 0; x < splits.rows; ++x) {
      for (std::uint64_t y = 0; y < splits.inner; ++y) addPart(x, y, blocks);
    }
    product_.program.add(execute(compute_set_));
    return one ? partials_ : addUp(std::move(blocks));
  }

 private:
  /// Adds the vertices for one part of the pattern: one tile per part of the columns.
  void addPart(std::uint64_t x, std::uint64_t y, std::vector<PartialBlock>& blocks) {
    const ReceivedRows received = rowsFor(x, y);
    std::map<std::uint64_t, std::shared_ptr<const VertexType>> type_of;  // by number of columns
    for (std::uint64_t z = 0; z < layout_.splits().columns; ++z) {
      const SparseIndex part{x, y, z};
      const Tensor out = outOf(part);
      graph_.setTileMapping(out, layout_.tile(part));
      blocks[z * layout_.splits().rows + x].sets.push_back({out, {layout_.tile(part)}});
      std::shared_ptr<const VertexType>& type = type_of[layout_.columns(z)];
      if (!type) type = shared(typeFor(part, received));
      addVertex(part, received, type);
    }
  }

  /// The rows that a tile receives. Where only one row part wants dense rows, they are all on the
  /// tile. Otherwise a message is a run of rows, or a whole chunk. Control instructions for the
  /// runs issue beside the words. Whole chunks are equal for all row parts, so tiles that share a
  /// bus get them at double rate.
  [[nodiscard]] ReceivedRows rowsFor(std::uint64_t x, std::uint64_t y) const {
    const std::uint64_t rows = layout_.inner(y);
    if (layout_.splits().rows == 1) return allRows(rows);
    ReceivedRows met = rowsMet(layout_.blocks(x, y), rows);
    const Fabric& fabric = machine_.fabric;
    const Bytes row_bytes = sizeOf(problem_.input) * layout_.columns(0) * layout_.block();
    const std::uint64_t streams =
        layout_.splits().rows % fabric.tiles_per_bus == 0 ? fabric.tiles_per_bus : 1;
    const Bytes of_runs = models::receivedBytes(fabric, row_bytes * met.rows, met.runs.size());
    return of_runs < Bytes((row_bytes * rows).value() / streams) ? met : allRows(rows);
  }

  [[nodiscard]] Tensor outOf(const SparseIndex& part) const {
    const std::uint64_t all = problem_.pattern.rows * problem_.columns;
    const Tensor of_y = partials_.slice(part.y * all, (part.y + 1) * all, 0);
    return layout_.result(of_y, part.x, part.z);
  }

  [[nodiscard]] VertexType typeFor(const SparseIndex& part, const ReceivedRows& received) const {
    std::vector<BlockPosition> blocks = layout_.blocks(part.x, part.y);
    if (blocks.empty()) {
      return zeroVertex({problem_.partials, 1, outOf(part).elements()});
    }
    for (BlockPosition& block : blocks) block.column = received.place[block.column];
    return sparseMatMulVertex({problem_.input, problem_.partials, layout_.block(),
                               layout_.rows(part.x), received.rows, layout_.columns(part.z),
                               std::move(blocks)});
  }

  void addVertex(const SparseIndex& part, const ReceivedRows& received,
                 const std::shared_ptr<const VertexType>& type) {
    VertexFamily family{type, layout_.tile(part), 1, {}};
    if (!layout_.blocks(part.x, part.y).empty()) {
      family.fields.push_back({layout_.values(product_.values, part.x, part.y).view()});
      family.fields.push_back({denseView(part, received)});
    }
    family.fields.push_back({outOf(part).view()});
    graph_.addVertices(compute_set_, std::move(family));
  }

  [[nodiscard]] View denseView(const SparseIndex& part, const ReceivedRows& received) const {
    const Tensor chunk = layout_.dense(product_.dense, part.y, part.z);
    const std::uint64_t row = layout_.columns(part.z) * layout_.block();
    View view;
    for (const auto& [begin, end] : received.runs) {
      for (Section& section : chunk.slice(begin * row, end * row, 0).view()) {
        view.push_back(std::move(section));
      }
    }
    return view;
  }

  Tensor addUp(std::vector<PartialBlock> blocks) {
    const SparseSplits& splits = layout_.splits();
    Tensor out = graph_.addVariable(problem_.output, {problem_.pattern.rows * problem_.columns},
                                    name_ + "/out", Lifetime::Always);
    graph_.setShape(out, {problem_.pattern.rows, problem_.columns});
    if (splits.inner == 1) {
      addCast(graph_, partials_, out, name_ + "/Cast", product_.program);
      return out;
    }
    for (std::uint64_t b = 0; b < blocks.size(); ++b) {
      blocks[b].result = layout_.result(out, b % splits.rows, b / splits.rows);
    }
    addReduction(graph_, machine_, std::move(blocks), name_, product_.program);
    return out;
  }

  Graph& graph_;
  const Architecture& machine_;
  const SparseProblem& problem_;
  const SparseLayout& layout_;
  SparseProduct& product_;
  ComputeSetId compute_set_;
  std::string name_;
  Tensor partials_;
};

}  // namespace

SparseProduct addSparseProduct(Graph& graph, const Architecture& machine,
                               const SparseProblem& problem, const SparseSplits& splits,
                               const std::string& name) {
  SparseProduct product{SparseLayout(problem, splits), {}, {}, {}, {}};
  product.values = product.layout.addValues(graph, problem.input, name + "/values");
  product.dense = product.layout.addDense(graph, problem.input, name + "/dense");
  product.result = SparseLowering(graph, machine, problem, product, name).run();
  return product;
}

}  // namespace ipusim::workloads
