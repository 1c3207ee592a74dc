// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/broadcast_product.h"

#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "sim/base/error.h"
#include "workloads/codelets/binary_op.h"
#include "workloads/codelets/broadcast_vector.h"
#include "workloads/ops/local_operands.h"
#include "workloads/ops/row_boxes.h"
#include "workloads/ops/shares.h"

namespace ipusim::workloads {

namespace {

/// A tile's part of the product, and what it reads the vector's elements by.
struct Part {
  std::uint32_t tile;
  std::uint64_t begin;
  RowBox box;
  std::size_t matrix_need;
  std::uint64_t matrix_skip;
  std::size_t vector_need;
  std::uint64_t vector_skip;
};

struct Parts {
  std::vector<Part> parts;
  std::vector<Need> matrix;
  std::vector<Need> vector;
};

/// Adds the parts of elements [begin, end) on `tile`. Whole rows need the whole vector, which the
/// others on the tile then share.
void addParts(std::uint32_t tile, const Section& share, std::uint64_t columns, Parts& parts) {
  const std::vector<RowBox> boxes = rowBoxesOf(share.offset, share.end(), columns);
  const bool whole = std::any_of(boxes.begin(), boxes.end(),
                                 [&](const RowBox& box) { return box.columns == columns; });
  parts.matrix.push_back({tile, share.offset, share.end()});
  if (whole) parts.vector.push_back({tile, 0, columns});
  std::uint64_t skip = 0;
  for (const RowBox& box : boxes) {
    if (!whole) parts.vector.push_back({tile, box.column, box.column + box.columns});
    parts.parts.push_back({tile, share.offset + skip, box, parts.matrix.size() - 1, skip,
                           parts.vector.size() - 1, whole ? box.column : 0});
    skip += box.rows * box.columns;
  }
}

/// Vertices of the same form share a codelet.
class Codelets {
 public:
  explicit Codelets(models::ElementType type) : times_{models::BinaryOp::Multiply, type} {}

  std::shared_ptr<const Codelet> of(const RowBox& box) {
    auto& codelet = codelets_[{box.rows, box.columns}];
    if (codelet) return codelet;
    if (box.rows == 1) {
      return codelet = std::make_shared<BinaryOp>(times_, Runs::one(box.columns));
    }
    return codelet = std::make_shared<BroadcastVector>(BroadcastVectorShape{
               times_, VectorAxis::Inner, box.rows, box.columns, RowGaps::None});
  }

 private:
  models::BinaryOpKind times_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::shared_ptr<const Codelet>> codelets_;
};

}  // namespace

Tensor multiplyRows(Graph& graph, const models::Machine& machine, const Tensor& matrix,
                    const Tensor& vector, const std::string& name, Program& program) {
  check(matrix.elements() % vector.elements() == 0, "rows of the length of the vector");
  Tensor product = graph.addVariable(matrix.type(), {matrix.elements()}, name + "/products");
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
  Codelets codelets(matrix.type());
  for (const Part& part : parts.parts) {
    const std::uint64_t elements = part.box.rows * part.box.columns;
    graph.addVertices(compute_set,
                      {codelets.of(part.box),
                       part.tile,
                       1,
                       {{local_matrix.part(part.matrix_need, part.matrix_skip, elements)},
                        {local_vector.part(part.vector_need, part.vector_skip, part.box.columns)},
                        {product.flatView(part.begin, part.begin + elements)}}});
  }
  program.add(execute(compute_set));
  return product;
}

}  // namespace ipusim::workloads
