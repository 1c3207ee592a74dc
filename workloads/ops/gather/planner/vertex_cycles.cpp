// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/gather/planner/vertex_cycles.h"

#include <algorithm>

#include "models/ipu/cost/elementwise/scaled_add.h"
#include "models/ipu/cost/movement/fill.h"
#include "models/ipu/cost/reductions/reduce.h"
#include "models/ipu/cost/workers.h"

namespace ipusim::workloads {
namespace {

using models::largestShare;

// Two vectors: less does not pay for starting a worker (poplibs lib/poputil/Util.cpp).
constexpr std::uint64_t kLeastVectors = 2;

models::ReduceOp reduceOpOf(RowUpdate update) {
  switch (update) {
    case RowUpdate::Maximum:
      return models::ReduceOp::Maximum;
    case RowUpdate::Multiply:
      return models::ReduceOp::Multiply;
    case RowUpdate::Add:
    case RowUpdate::Replace:
      break;
  }
  return models::ReduceOp::Add;
}

models::UpdateOp updateOpOf(RowUpdate update) {
  switch (update) {
    case RowUpdate::Maximum:
      return models::UpdateOp::Maximum;
    case RowUpdate::Multiply:
      return models::UpdateOp::Multiply;
    case RowUpdate::Add:
    case RowUpdate::Replace:
      break;
  }
  return models::UpdateOp::ScaledAdd;
}

Cycles rowCycles(const Architecture& machine, models::SliceDirection direction,
                 const PlannedRows& rows) {
  const Bytes element = sizeOf(rows.type);
  const bool fills_words = (element * rows.columns).value() % machine.atomic_store.value() == 0;
  return models::multiSliceCycles(
      machine, {direction, element, rows.columns, rows.look_ups,
                rows.all_indices == 1 && fills_words ? models::SliceSplit::SingleRegion
                                                     : models::SliceSplit::Offsets});
}

}  // namespace

Cycles plannedFillCycles(const Architecture& machine, const TypedElements& elements) {
  const std::uint64_t vector = machine.vectorWidth(elements.type);
  const std::uint64_t vectors = largestShare(machine, ceilDiv(elements.count, vector));
  const std::uint64_t own = std::min(elements.count, vector * std::max(vectors, kLeastVectors));
  return models::fillCycles(machine, {sizeOf(elements.type), own}) * machine.workers_per_tile;
}

std::uint64_t reducedElements(const PartialTables& partials) {
  return ceilDiv(partials.elements, partials.tables);
}

Cycles plannedReduceCycles(const Architecture& machine, const PartialTables& partials) {
  if (partials.tables == 1) return Cycles(0);
  const std::uint64_t outputs = reducedElements(partials);
  const std::uint64_t vector = machine.vectorWidth(ElementType::Float);
  const std::uint64_t own =
      std::min(outputs, vector * largestShare(machine, ceilDiv(outputs, vector)));
  const models::ReduceKind kind{reduceOpOf(partials.update), ElementType::Float,
                                ElementType::Float};
  return models::stridedReduceCycles(machine, {kind, partials.tables, own, outputs}) *
         machine.workers_per_tile;
}

Cycles plannedCombineCycles(const Architecture& machine, RowUpdate update,
                            const TypedElements& table) {
  if (update != RowUpdate::Add) {
    return Cycles(ceilDiv<std::uint64_t>(table.count, machine.vectorWidth(table.type)));
  }
  models::ScaledAddKind kind{models::ScaledOp::Add, ElementType::Float, ElementType::Float};
  kind.memory = models::OperandMemory::Apart;
  kind.a_pointers = models::PointerLayout::Scaled64;
  kind.b_pointers = models::PointerLayout::Scaled64;
  return models::scaledAddCycles(machine, {kind, table.count});
}

Cycles plannedSliceCycles(const Architecture& machine, const PlannedRows& rows) {
  return rowCycles(machine, models::SliceDirection::Slice, rows);
}

Cycles plannedUpdateCycles(const Architecture& machine, RowUpdate update, const PlannedRows& rows,
                           models::SubWordWrites writes) {
  if (update == RowUpdate::Replace) {
    return rowCycles(machine, models::SliceDirection::Update, rows);
  }
  models::MultiUpdateShape shape{updateOpOf(update), rows.type, rows.type, rows.columns,
                                 rows.look_ups};
  shape.scaled_anyway = true;
  shape.atomic_store = machine.atomic_store;
  shape.sub_word = writes;
  return models::multiUpdateCycles(machine, shape);
}

}  // namespace ipusim::workloads
