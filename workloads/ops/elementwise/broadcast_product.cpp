// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/elementwise/broadcast_product.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "ipusim/error.h"
#include "workloads/ops/placement/local_operands.h"
#include "workloads/ops/placement/row_boxes.h"
#include "workloads/ops/placement/shares.h"
#include "workloads/vertices/elementwise/elementwise.h"

namespace ipusim::workloads {

namespace {

/// A tile's part of the product, and the elements of the vector that it reads.
struct ProductTile {
  TileId tile;
  std::uint64_t begin;
  RowBox box;
  std::size_t matrix_need;
  std::uint64_t matrix_skip;
  std::size_t vector_need;
  std::uint64_t vector_skip;
};

struct Parts {
  std::vector<ProductTile> parts;
  std::vector<Need> matrix;
  std::vector<Need> vector;
};

/// Adds the parts of elements [begin, end) on `tile`. Whole rows need the whole vector, which other
/// parts on the tile then share.
void addParts(TileId tile, const Section& share, std::uint64_t columns, Parts& parts) {
  const std::vector<RowBox> boxes = rowBoxesOf(share.begin(), share.end(), columns);
  const bool whole = std::any_of(boxes.begin(), boxes.end(),
                                 [&](const RowBox& box) { return box.columns == columns; });
  parts.matrix.push_back({tile, share.begin(), share.end()});
  if (whole) parts.vector.push_back({tile, 0, columns});
  std::uint64_t skip = 0;
  for (const RowBox& box : boxes) {
    if (!whole) parts.vector.push_back({tile, box.column, box.column + box.columns});
    parts.parts.push_back({tile, share.begin() + skip, box, parts.matrix.size() - 1, skip,
                           parts.vector.size() - 1, whole ? box.column : 0});
    skip += box.rows * box.columns;
  }
}

/// One vertex repeats the vector, unless that takes more than this percentage of the time of
/// separate rows. The tables of many short rows take more memory than their data.
constexpr std::uint64_t kVectorPercent = 150;

/// The vertices that multiply the rows of a box.
enum class Form : std::uint8_t {
  Vector,  ///< one vertex that repeats the vector
  Lists,   ///< one list of rows per worker
  Rows,    ///< one vertex per row, which all workers share
};

/// The vertex types that multiply boxes. Boxes of equal form share a vertex type.
class VertexTypes {
 public:
  VertexTypes(const Architecture& machine, ElementType element)
      : machine_(machine), times_{models::BinaryOp::Multiply, element} {}

  [[nodiscard]] Form formOf(const RowBox& box) {
    const auto [form, is_new] = forms_.try_emplace({box.rows, box.columns}, Form::Rows);
    if (is_new) form->second = quickestForm(box);
    return form->second;
  }

  std::shared_ptr<const VertexType> vector(std::uint64_t rows, std::uint64_t columns) {
    auto& type = vectors_[{rows, columns}];
    if (!type) {
      type =
          shared(broadcastVectorVertex({times_, VectorAxis::Inner, rows, columns, RowGaps::None}));
    }
    return type;
  }

  std::shared_ptr<const VertexType> list(std::uint64_t rows, std::uint64_t columns) {
    auto& type = lists_[{rows, columns}];
    if (!type) {
      type =
          shared(binaryOpVertex({times_, Runs::list(std::vector<std::uint64_t>(rows, columns))}));
    }
    return type;
  }

  std::shared_ptr<const VertexType> row(std::uint64_t columns) {
    auto& type = rows_[columns];
    if (!type) type = shared(binaryOpVertex({times_, Runs::one(columns)}));
    return type;
  }

 private:
  using Sizes = std::pair<std::uint64_t, std::uint64_t>;  // rows, columns

  [[nodiscard]] Form quickestForm(const RowBox& box) {
    if (box.rows == 1) return Form::Rows;
    const std::uint64_t workers = machine_.workers_per_tile;
    const Cycles lists = list(ceilDiv(box.rows, workers), box.columns)->cycles(machine_) * workers;
    const Cycles rows = row(box.columns)->cycles(machine_) * box.rows;
    const Cycles whole = vector(box.rows, box.columns)->cycles(machine_);
    if (whole * 100 <= std::min(lists, rows) * kVectorPercent) return Form::Vector;
    return lists < rows ? Form::Lists : Form::Rows;
  }

  const Architecture& machine_;
  models::BinaryOpKind times_;
  std::map<Sizes, Form> forms_;
  std::map<Sizes, std::shared_ptr<const VertexType>> vectors_;
  std::map<Sizes, std::shared_ptr<const VertexType>> lists_;
  std::map<std::uint64_t, std::shared_ptr<const VertexType>> rows_;
};

/// The view, `rows` times over.
View timesOver(const View& view, std::uint64_t rows) {
  check(view.size() == 1, "a vector in one piece");
  Section section = view.front();
  if (rows > 1) {
    auto& levels = section.walk.levels;
    levels.insert(levels.begin(), {rows, VariableElements(0)});
  }
  return {section};
}

/// The compute set of the product, with both operands brought to where they are read.
class Multiplication {
 public:
  Multiplication(Graph& graph, const Architecture& machine, const Tensor& product,
                 ComputeSetId compute_set)
      : graph_(graph),
        workers_(machine.workers_per_tile),
        product_(product),
        compute_set_(compute_set),
        types_(machine, product.type()) {}

  void add(const ProductTile& part, const LocalOperand& matrix, const LocalOperand& vector) {
    const RowBox& box = part.box;
    const View own = vector.part(part.vector_need, part.vector_skip, box.columns);
    const auto add_rows = [&](std::uint64_t row, std::uint64_t rows, const View& repeated,
                              std::shared_ptr<const VertexType> type) {
      const std::uint64_t first = row * box.columns;
      const std::uint64_t size = rows * box.columns;
      graph_.addVertex(compute_set_,
                       {std::move(type),
                        part.tile,
                        1,
                        {{matrix.part(part.matrix_need, part.matrix_skip + first, size)},
                         {repeated},
                         {product_.flatView(part.begin + first, part.begin + first + size)}}});
    };
    switch (types_.formOf(box)) {
      case Form::Vector:
        return add_rows(0, box.rows, own, types_.vector(box.rows, box.columns));
      case Form::Rows:
        for (std::uint64_t r = 0; r < box.rows; ++r) {
          add_rows(r, 1, own, types_.row(box.columns));
        }
        return;
      case Form::Lists:
        for (std::uint64_t w = 0, row = 0; row < box.rows; ++w) {
          const std::uint64_t rows = ceilDiv(box.rows - row, workers_ - w);
          add_rows(row, rows, timesOver(own, rows), types_.list(rows, box.columns));
          row += rows;
        }
    }
  }

 private:
  Graph& graph_;
  std::uint64_t workers_;
  const Tensor& product_;
  ComputeSetId compute_set_;
  VertexTypes types_;
};

}  // namespace

Tensor multiplyRows(Graph& graph, const Architecture& machine, const RowProduct& operands,
                    const OpResult& result, Program& program) {
  const auto& [matrix, vector] = operands;
  const std::string& name = result.name;
  check(matrix.elements() % vector.elements() == 0, "rows of the length of the vector");
  Tensor product =
      graph.addVariable(matrix.type(), {matrix.elements()}, name + "/products", result.lifetime);
  graph.setShape(product, matrix.shape());
  graph.mapLinearly(product, machine);
  Parts parts;
  for (const auto& [tile, share] : sharesByTile(graph, product)) {
    for (const Section& section : share) addParts(tile, section, vector.elements(), parts);
  }
  LocalOperands locals(graph, name);
  const LocalOperand local_matrix = locals.bring(matrix, parts.matrix);
  const LocalOperand local_vector = locals.bring(vector, parts.vector);
  locals.addSteps(program);

  const ComputeSetId compute_set = graph.addComputeSet(name + "/Multiply");
  Multiplication multiplication(graph, machine, product, compute_set);
  for (const ProductTile& part : parts.parts) multiplication.add(part, local_matrix, local_vector);
  program.add(execute(compute_set));
  return product;
}

}  // namespace ipusim::workloads
