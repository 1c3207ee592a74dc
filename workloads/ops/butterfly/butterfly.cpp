// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/butterfly/butterfly.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "ipusim/error.h"
#include "workloads/ops/elementwise/broadcast_product.h"
#include "workloads/ops/fill/zero.h"
#include "workloads/ops/placement/row_boxes.h"
#include "workloads/ops/placement/shares.h"
#include "workloads/ops/reduce/sum_rows.h"
#include "workloads/vertices/reductions/reductions.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

namespace {

/// A worker's share of a row is a multiple of this number of outputs.
/// Source: graphcore/poplibs lib/popops/reduction (MIT): whole vectors of half.
constexpr std::uint64_t kColumnGrain = 4;

/// Shares out a box between `workers` by rows. When there are fewer rows than workers, each row is
/// shared by columns.
std::vector<RowBox> shared(const RowBox& box, std::uint64_t workers) {
  std::vector<RowBox> parts;
  if (box.rows >= workers) {
    for (std::uint64_t w = 0; w < workers; ++w) {
      const std::uint64_t first = box.rows * w / workers;
      const std::uint64_t end = box.rows * (w + 1) / workers;
      parts.push_back({box.row + first, end - first, box.column, box.columns});
    }
    return parts;
  }
  const std::uint64_t grains = ceilDiv(box.columns, kColumnGrain);
  const std::uint64_t each = ceilDiv(grains, workers / box.rows) * kColumnGrain;
  for (std::uint64_t r = 0; r < box.rows; ++r) {
    for (std::uint64_t first = 0; first < box.columns; first += each) {
      const std::uint64_t columns = std::min(each, box.columns - first);
      parts.push_back({box.row + r, 1, box.column + first, columns});
    }
  }
  return parts;
}

/// The sum over one of the two halves of a stage: rows of `width` outputs, each the sum of two
/// consecutive rows of products.
class PairSum {
 public:
  PairSum(Graph& graph, const Architecture& machine, std::uint64_t width)
      : graph_(graph), machine_(machine), width_(width) {}

  /// Adds the sums. They are mapped like the products, in order.
  Tensor add(const Tensor& products, const std::string& name, Lifetime lifetime, Program& program) {
    products_ = products.pieces().front().variable;
    Tensor sums =
        graph_.addVariable(products.type(), {products.elements() / 2}, name + "/sums", lifetime);
    sums_ = sums.pieces().front().variable;
    type_ = products.type();
    compute_set_ = graph_.addComputeSet(name + "/Reduce");
    for (const auto& [tile, share] : sharesByTile(graph_, products)) {
      for (const Section& section : share) {
        const std::uint64_t begin = ceilDiv(section.begin(), std::uint64_t{2});
        const std::uint64_t end = ceilDiv(section.end(), std::uint64_t{2});
        if (begin == end) continue;
        graph_.setTileMapping(sums.slice(begin, end, 0), tile);
        for (const RowBox& box : rowBoxesOf(begin, end, width_)) addReductions(tile, box);
      }
    }
    program.add(execute(compute_set_));
    return sums;
  }

 private:
  /// Adds vertices that share a box between the workers: one per worker, or one per row when that
  /// takes less time.
  void addReductions(TileId tile, const RowBox& box) {
    if (rowsApart(box)) {
      RowBox first = box;
      first.rows = 1;
      addVertices(tile, first, static_cast<std::uint32_t>(box.rows));
      return;
    }
    for (const RowBox& part : shared(box, machine_.workers_per_tile)) addVertices(tile, part, 1);
  }

  /// Whether a vertex for each row takes less than a list of rows for each worker.
  bool rowsApart(const RowBox& box) {
    const auto [apart, is_new] = rows_apart_.try_emplace({box.rows, box.columns}, false);
    if (is_new) {
      const auto rounds = ceilDiv<std::uint64_t>(box.rows, machine_.workers_per_tile);
      const Cycles one = typeFor(1, box.columns)->cycles(machine_);
      const Cycles list = typeFor(rounds, box.columns)->cycles(machine_);
      apart->second = rounds > 1 && one * rounds < list;
    }
    return apart->second;
  }

  std::shared_ptr<const VertexType> typeFor(std::uint64_t rows, std::uint64_t columns) {
    return reductions_.get({rows, columns}, [&] {
      return reducePairsVertex({type_, rows, columns, width_});
    });
  }

  /// Adds `count` vertices, each for as many rows as `box` has, one after the other from `box` on.
  void addVertices(TileId tile, const RowBox& box, std::uint32_t count) {
    const auto rows_of = [&](VariableId variable, std::uint64_t offset, std::uint64_t row) {
      Section section{variable, {VariableElements(offset + box.column)}};
      section.walk.addInside({box.rows, VariableElements(row)});
      section.walk.addInside({box.columns, VariableElements(1)});
      return Connection{View{section}, box.rows * row};
    };
    const std::uint64_t first = box.row * 2 * width_;
    VertexFamily family{
        typeFor(box.rows, box.columns),
        tile,
        count,
        {rows_of(sums_, box.row * width_, width_), rows_of(products_, first, 2 * width_),
         rows_of(products_, first + width_, 2 * width_)}};
    if (count == 1) {
      graph_.addVertex(compute_set_, std::move(family));
    } else {
      graph_.addVertices(compute_set_, std::move(family));
    }
  }

  Graph& graph_;
  const Architecture& machine_;
  std::uint64_t width_;
  VariableId products_{};
  VariableId sums_{};
  ElementType type_ = ElementType::Float;
  ComputeSetId compute_set_{};
  using Sizes = std::pair<std::uint64_t, std::uint64_t>;  // rows, columns
  std::map<Sizes, bool> rows_apart_;
  TypeCache<Sizes> reductions_;
};

/// One stage of stride s on a batch. Products are (batch, blocks, output half, input half, stride).
class ButterflyStage {
 public:
  ButterflyStage(Graph& graph, const Architecture& machine, const ButterflyShape& shape,
                 std::uint64_t stride, const std::string& name)
      : graph_(graph),
        machine_(machine),
        shape_(shape),
        stride_(stride),
        blocks_(shape.features / (2 * stride)),
        name_(name + "/stage" + std::to_string(stride)) {}

  Tensor forward(const ButterflyOperands& operands, Lifetime lifetime, Program& program) {
    const RowProduct product{byInput(operands.rows), twiddlesOf(operands.twiddles)};
    return sum(multiplyRows(graph_, machine_, product, {name_}, program), stride_,
               {name_, lifetime}, program);
  }

  /// The gradient of the stage's input, (batch, features).
  Tensor inputGradient(const Tensor& gradient, const Tensor& twiddles, Program& program) {
    const std::string name = name_ + "/inputGradient";
    const RowProduct product{byOutput(gradient), twiddlesOf(twiddles)};
    return sum(multiplyRows(graph_, machine_, product, {name}, program), 2 * stride_, {name},
               program);
  }

  /// The gradient of the stage's twiddles, as they are stored.
  Tensor twiddleGradient(const Tensor& gradient, const Tensor& rows, Program& program) {
    const std::string name = name_ + "/twiddleGradient";
    const Tensor products =
        multiplyRows(graph_, machine_, {byOutput(gradient), byInput(rows)}, {name}, program);
    const std::uint64_t columns = sets() * 4 * stride_;
    const Tensor sums =
        sumRows(graph_, machine_, products.reshape({products.elements() / columns, columns}),
                {name}, program);
    return sums.reshape({sets(), 2, 2, stride_}).dimShuffle({0, 3, 1, 2});
  }

  /// The stage's part of the stored twiddles.
  [[nodiscard]] Tensor storedIn(const Tensor& all) const {
    const std::uint64_t first = firstTwiddle(shape_, stride_);
    return all.reshape({all.elements()}).slice(first, first + sets() * stride_ * 4, 0);
  }

 private:
  [[nodiscard]] std::uint64_t sets() const {
    return shape_.twiddles == Twiddles::Tied ? 1 : blocks_;
  }
  [[nodiscard]] Tensor byInput(const Tensor& rows) const {
    return rows.reshape({rows.shape()[0], blocks_, 1, 2, stride_}).broadcast(2, 2);
  }
  [[nodiscard]] Tensor byOutput(const Tensor& gradient) const {
    return gradient.reshape({gradient.shape()[0], blocks_, 2, 1, stride_}).broadcast(2, 3);
  }
  /// The twiddles as (blocks or one, output half, input half, stride).
  [[nodiscard]] Tensor twiddlesOf(const Tensor& all) const {
    return storedIn(all).reshape({sets(), stride_, 2, 2}).dimShuffle({0, 2, 3, 1});
  }

  Tensor sum(const Tensor& products, std::uint64_t width, const OpResult& result,
             Program& program) {
    const std::uint64_t rows = products.elements() / (2 * shape_.features);
    Tensor sums = PairSum(graph_, machine_, width)
                      .add(products, result.name, result.lifetime, program)
                      .reshape({rows, shape_.features});
    graph_.setShape(sums, sums.shape());
    return sums;
  }

  Graph& graph_;
  const Architecture& machine_;
  const ButterflyShape& shape_;
  std::uint64_t stride_;
  std::uint64_t blocks_;
  std::string name_;
};

}  // namespace

std::vector<std::uint64_t> stridesOf(const ButterflyShape& shape) {
  std::vector<std::uint64_t> strides;
  for (std::uint64_t s = 1; s < shape.features; s *= 2) strides.push_back(s);
  if (shape.order == StageOrder::Decreasing) std::reverse(strides.begin(), strides.end());
  return strides;
}

Shape twiddleShape(const ButterflyShape& shape) {
  if (shape.twiddles == Twiddles::Tied) return {shape.features - 1, 2, 2};
  return {stridesOf(shape).size(), shape.features / 2, 2, 2};
}

std::uint64_t firstTwiddle(const ButterflyShape& shape, std::uint64_t stride) {
  if (shape.twiddles == Twiddles::Tied) return (stride - 1) * 4;
  std::uint64_t stage = 0;
  while (std::uint64_t{1} << stage < stride) ++stage;
  return stage * shape.features / 2 * 4;
}

ButterflyPass addButterfly(Graph& graph, const Architecture& machine,
                           const ButterflyOperands& operands, const OpResult& result,
                           Program& program) {
  const auto& [shape, rows, twiddles] = operands;
  check(rows.shape().size() == 2 && rows.shape()[1] == shape.features, "rows of a butterfly");
  ButterflyPass pass{rows, {}};
  const std::vector<std::uint64_t> strides = stridesOf(shape);
  for (const std::uint64_t stride : strides) {
    pass.stage_rows.push_back(pass.result);
    const Lifetime lifetime = stride == strides.back() ? result.lifetime : Lifetime::Temporary;
    pass.result = ButterflyStage(graph, machine, shape, stride, result.name)
                      .forward({shape, pass.result, twiddles}, lifetime, program);
  }
  return pass;
}

ButterflyGradients addButterflyGradient(Graph& graph, const Architecture& machine,
                                        const ButterflyBackward& operands, const std::string& name,
                                        Program& program) {
  const auto& [shape, stage_rows, twiddles, gradient, wants_rows] = operands;
  const std::vector<std::uint64_t> strides = stridesOf(shape);
  const std::string sum = name + "/twiddleGradient";
  const Tensor padded =
      graph.addVariable(gradient.type(), {strides.size(), twiddles.elements()}, sum + "/padded");
  graph.mapLinearly(padded, machine);
  ButterflyGradients gradients{{}, gradient};
  std::vector<CopyPair> slices;
  for (std::size_t k = strides.size(); k-- > 0;) {
    ButterflyStage stage(graph, machine, shape, strides[k], name);
    const Tensor own = stage.twiddleGradient(gradients.rows, stage_rows[k], program);
    const Tensor place = stage.storedIn(padded.slice(k, k + 1, 0));
    slices.push_back({own, place.reshape(own.shape())});
    if (k > 0 || wants_rows) {
      gradients.rows = stage.inputGradient(gradients.rows, twiddles, program);
    }
  }
  addZero(graph, machine, {padded}, sum + "/Zero", program);
  program.add(graph.copy(slices, sum + "/Slices"));
  gradients.twiddles = sumRows(graph, machine, padded, {sum}, program).reshape(twiddles.shape());
  return gradients;
}

}  // namespace ipusim::workloads
