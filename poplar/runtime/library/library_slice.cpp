// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "poplar/detail/slice_api.hpp"
#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/element_bytes.h"
#include "poplar/runtime/graph/tile_ranges.h"
#include "poplar/runtime/library/library_steps.h"
#include "workloads/ops/gather/multi_slice.h"
#include "workloads/vertices/movement/data_movement.h"
#include "workloads/vertices/type_cache.h"

namespace poplar::detail {

namespace {

namespace workloads = ipusim::workloads;
using ipusim::Tensor;
using ipusim::models::SliceDirection;

/// The vertex that moves rows of that many elements, as they lie on its tile.
ipusim::VertexType vertexFor(RowMove move, const RowMoveOperands& operands,
                             std::uint64_t elements) {
  const ipusim::ElementType type = operands.table->view.type();
  const std::uint64_t rows = operands.table->view.shape().front();
  const std::uint64_t moved = operands.rows->view.shape().front();
  switch (move) {
    case RowMove::Slice:
      return workloads::dynamicSliceVertex({type, elements, rows, SliceDirection::Slice, moved});
    case RowMove::Update:
      return workloads::dynamicSliceVertex({type, elements, rows, SliceDirection::Update, moved});
    case RowMove::Set:
      return workloads::multiUpdateVertex({type, rows, elements, moved});
    case RowMove::Add:
      break;
  }
  return workloads::multiUpdateAddVertex({type, rows, elements, moved});
}

/// The columns of `matrix` that are in `ranges` of its first row, one after the other.
Tensor columnsOf(const Tensor& matrix, const ElementRanges& ranges, std::size_t unit) {
  std::vector<Tensor> parts;
  parts.reserve(ranges.size());
  for (const ElementRange& range : ranges) {
    parts.push_back(matrix.slice(range.begin * unit, range.end * unit, 1));
  }
  return parts.size() == 1 ? parts.front() : ipusim::concat(parts, 1);
}

void checkIsAddable(const TensorData& table) {
  if (table.type == TypeId::Half || table.type == TypeId::Float) return;
  throw poplar_error(fmt::format("multiUpdateAdd: wanted a table of half or float, found one of {}",
                                 spellingOf(table.type))
                         .c_str());
}

}  // namespace

void addRowMove(GraphData* graph, std::uint32_t compute_set, RowMove move,
                const RowMoveOperands& operands) {
  if (move == RowMove::Add) checkIsAddable(*operands.table);
  if (operands.table->elements() == 0 || operands.rows->elements() == 0) return;
  const Tensor table = LibrarySteps::viewOf(*operands.table);
  const Tensor rows = LibrarySteps::viewOf(*operands.rows);
  const Ref<TensorData> first = Ref<TensorData>::taking(indexed(operands.table, 0));
  workloads::TypeCache<std::uint64_t> types;  // by the number of elements of a row
  for (const auto& [tile, ranges] : rangesByTile(*graph, *first)) {
    const Tensor own_table = columnsOf(table, ranges, operands.table->unit);
    const std::uint64_t elements = own_table.shape()[1];
    std::vector<ipusim::View> views = {operands.offsets->view.view(), own_table.view(),
                                       columnsOf(rows, ranges, operands.table->unit).view()};
    if (move == RowMove::Add) views.push_back(operands.scale->view.view());
    addLibraryVertex(*graph->state, compute_set,
                     types.get(elements, [&] { return vertexFor(move, operands, elements); }), tile,
                     std::move(views));
  }
}

TensorData* addLookUp(GraphData* graph, const TensorData* table, const TensorData* offsets,
                      Text name, ProgramData** program) {
  checkIsWholeIpu(*graph, "multiSlice");
  LibrarySteps steps(*graph);
  const Tensor rows =
      workloads::gatherRows(steps.graph(), steps.machine(),
                            {LibrarySteps::viewOf(*table), LibrarySteps::viewOf(*offsets)},
                            stringOf(name), steps.program());
  *program = steps.finish();
  return steps.tensor(rows, table->type);
}

TensorData* addSliceableTable(GraphData* graph, TypeId type, std::size_t rows, std::size_t columns,
                              Text name) {
  checkIsWholeIpu(*graph, "createSliceableTensor");
  LibrarySteps steps(*graph);
  const Storage storage = storageOf(type);
  const Tensor table = workloads::addTable(steps.graph(), steps.machine(),
                                           {storage.type, rows, columns * storage.unit},
                                           {stringOf(name), ipusim::Lifetime::Always});
  static_cast<void>(Ref<ProgramData>::taking(steps.finish()));
  return steps.tensor(table, type);
}

}  // namespace poplar::detail
