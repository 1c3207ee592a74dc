// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/butterfly.h"

#include <algorithm>
#include <map>
#include <memory>
#include <tuple>

#include "sim/base/error.h"
#include "workloads/codelets/reduce_pairs.h"
#include "workloads/ops/broadcast_product.h"
#include "workloads/ops/row_boxes.h"
#include "workloads/ops/shares.h"

namespace ipusim::workloads {

namespace {

/// Outputs in a row that a worker's share of a row is a multiple of.
/// Source: graphcore/poplibs lib/popops/reduction (MIT): whole vectors of half.
constexpr std::uint64_t kColumnGrain = 4;

/// A box shared out between `workers`: by rows, or where there are fewer rows than workers, each
/// row by columns.
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

/// One stage of stride s on a batch.
class Stage {
 public:
  Stage(Graph& graph, const models::Machine& machine, const ButterflyShape& shape,
        std::uint64_t stride)
      : graph_(graph),
        machine_(machine),
        shape_(shape),
        stride_(stride),
        blocks_(shape.features / (2 * stride)),
        name_("butterfly/stage" + std::to_string(stride)) {}

  /// Products (batch, blocks, output half, input half, stride) of the rows and twiddles.
  Tensor multiply(const ButterflyOperands& operands, Program& program) {
    const std::uint64_t batch = operands.rows.shape()[0];
    const Tensor rows = operands.rows.reshape({batch, blocks_, 1, 2, stride_}).broadcast(2, 2);
    return multiplyRows(graph_, machine_, rows, stageTwiddles(operands.twiddles), name_, program);
  }

  /// Sums over the input half. An output lies where, in order, its share of the products does.
  Tensor reduce(const Tensor& products, Lifetime lifetime, Program& program) {
    Tensor sums =
        graph_.addVariable(products.type(), {products.elements() / 2}, name_ + "/sums", lifetime);
    const ComputeSetId compute_set = graph_.addComputeSet(name_ + "/Reduce");
    for (const auto& [tile, share] : sharesByTile(graph_, products)) {
      for (const Section& section : share) {
        const std::uint64_t begin = ceilDiv(section.offset, std::uint64_t{2});
        const std::uint64_t end = ceilDiv(section.end(), std::uint64_t{2});
        if (begin == end) continue;
        graph_.setTileMapping(sums.slice(begin, end, 0), tile);
        for (const RowBox& box : rowBoxesOf(begin, end, stride_)) {
          addReductions(compute_set, tile, box, {products, sums});
        }
      }
    }
    program.add(execute(compute_set));
    return sums;
  }

 private:
  struct Reduction {
    const Tensor& products;
    const Tensor& sums;
  };

  /// (blocks or one, output half, input half, stride)
  [[nodiscard]] Tensor stageTwiddles(const Tensor& all) const {
    const bool tied = shape_.twiddles == Twiddles::Tied;
    const std::uint64_t sets = tied ? 1 : blocks_;
    const std::uint64_t first = firstTwiddle(shape_, stride_);
    const Tensor own = all.reshape({all.elements()}).slice(first, first + sets * stride_ * 4, 0);
    return own.reshape({sets, stride_, 2, 2}).dimShuffle({0, 2, 3, 1});
  }

  /// Vertices that share a box between the workers: one a worker, or one a row where that takes
  /// less.
  void addReductions(ComputeSetId compute_set, std::uint32_t tile, const RowBox& box,
                     const Reduction& tensors) {
    const std::uint64_t rounds = ceilDiv<std::uint64_t>(box.rows, machine_.workers_per_tile);
    const auto one = codeletFor(1, box.columns, tensors);
    const auto list = codeletFor(rounds, box.columns, tensors);
    if (rounds > 1 && one->cycles(machine_) * rounds < list->cycles(machine_)) {
      RowBox first = box;
      first.rows = 1;
      addVertices(compute_set, tile, {first, static_cast<std::uint32_t>(box.rows)}, tensors);
      return;
    }
    for (const RowBox& part : shared(box, machine_.workers_per_tile)) {
      addVertices(compute_set, tile, {part, 1}, tensors);
    }
  }

  std::shared_ptr<const Codelet> codeletFor(std::uint64_t rows, std::uint64_t columns,
                                            const Reduction& tensors) {
    auto& codelet = reductions_[{rows, columns}];
    if (!codelet) {
      codelet = std::make_shared<ReducePairs>(
          ReducePairsShape{tensors.sums.type(), rows, columns, stride_});
    }
    return codelet;
  }

  /// `count` vertices, each for as many rows as `box` has, one after the other from it on.
  struct Reducers {
    RowBox box;
    std::uint32_t count;
  };

  void addVertices(ComputeSetId compute_set, std::uint32_t tile, const Reducers& reducers,
                   const Reduction& tensors) {
    const RowBox& box = reducers.box;
    const auto rows_of = [&](const Tensor& tensor, std::uint64_t offset, std::uint64_t row) {
      Section section{tensor.pieces().front().variable, offset + box.column, {}};
      section.dims = {{box.rows, row}, {box.columns, 1}};
      normalize(section.dims);
      return Connection{View{section}, box.rows * row};
    };
    const std::uint64_t first = box.row * 2 * stride_;
    graph_.addVertices(compute_set, {codeletFor(box.rows, box.columns, tensors),
                                     tile,
                                     reducers.count,
                                     {rows_of(tensors.sums, box.row * stride_, stride_),
                                      rows_of(tensors.products, first, 2 * stride_),
                                      rows_of(tensors.products, first + stride_, 2 * stride_)}});
  }

  using BoxSizes = std::pair<std::uint64_t, std::uint64_t>;
  Graph& graph_;
  const models::Machine& machine_;
  const ButterflyShape& shape_;
  std::uint64_t stride_;
  std::uint64_t blocks_;
  std::string name_;
  std::map<BoxSizes, std::shared_ptr<const Codelet>> reductions_;
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

Tensor addButterfly(Graph& graph, const models::Machine& machine, const ButterflyShape& shape,
                    const ButterflyOperands& operands, Program& program) {
  const Shape rows_shape = operands.rows.shape();
  check(rows_shape.size() == 2 && rows_shape[1] == shape.features, "rows of a butterfly");
  Tensor rows = operands.rows;
  const std::vector<std::uint64_t> strides = stridesOf(shape);
  for (const std::uint64_t stride : strides) {
    Stage stage(graph, machine, shape, stride);
    Tensor products = stage.multiply({rows, operands.twiddles}, program);
    const Lifetime lifetime = stride == strides.back() ? Lifetime::Always : Lifetime::Temporary;
    rows = stage.reduce(products, lifetime, program).reshape(rows_shape);
  }
  return rows;
}

}  // namespace ipusim::workloads
