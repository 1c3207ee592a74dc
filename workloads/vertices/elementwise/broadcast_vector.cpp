// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ipusim/error.h"
#include "models/ipu/cost/elementwise/broadcast.h"
#include "models/ipu/cost/elementwise/broadcast_inner.h"
#include "workloads/vertices/elementwise/elementwise.h"
#include "workloads/vertices/elementwise/map_numbers.h"
#include "workloads/vertices/elementwise/operator_type.h"
#include "workloads/vertices/elementwise/operators.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

using models::BinaryOp;
using models::OpPlacement;

namespace {

// Two pointers and two sizes.
// Source: poplibs lib/popops/codelets/BroadcastVector*.cpp.
constexpr Bytes kBroadcastVectorStateBytes(12);
constexpr Bytes kBroadcastVectorPointerBytes(4);

constexpr Words<VectorAxis, 2> kAxisWords{
    {{VectorAxis::Inner, "inner"}, {VectorAxis::Outer, "outer"}}};
constexpr Words<RowGaps, 2> kGapsWords{{{RowGaps::None, "no"}, {RowGaps::Some, "yes"}}};

bool isInPlace(const BroadcastVectorShape& shape) {
  return shape.kind.placement == OpPlacement::InPlace;
}

/// Calls `use` with the function that `op` is.
template <typename Use>
void withOp(BinaryOp op, const Use& use) {
  if (op == BinaryOp::Multiply) return use([](float a, float b) { return a * b; });
  if (op == BinaryOp::Add) return use([](float a, float b) { return a + b; });
  use([](float a, float b) { return a - b; });
}

Cycles outerCycles(const Architecture& machine, const BroadcastVectorShape& shape) {
  const bool aligned =
      shape.columns * sizeOf(shape.kind.type).value() % machine.data_path.value() == 0;
  models::BroadcastOuterShape outer{
      shape.kind.type.element(), models::OuterSplit::ByRow,
      aligned ? models::RowAlignment::Aligned : models::RowAlignment::Misaligned, shape.rows,
      shape.columns};
  const Cycles by_row = models::broadcastOuterCycles(machine, outer);
  outer.split = models::OuterSplit::ByColumn;
  return std::min(by_row, models::broadcastOuterCycles(machine, outer));
}

Cycles broadcastVectorCost(const BroadcastVectorShape& shape, const Architecture& machine) {
  if (shape.axis == VectorAxis::Outer) return outerCycles(machine, shape);
  return models::broadcastInnerCycles(machine, {shape.kind, shape.columns, 1, shape.rows});
}

void computeBroadcastVector(const BroadcastVectorShape& shape, const VertexData& data) {
  const std::size_t out_field = isInPlace(shape) ? 0 : 2;
  withNumber(shape.kind.type.element(), [&](auto number) {
    using Number = decltype(number);
    const auto* vector = data.as<Number>(1, 0);
    const auto row_of = [&](std::size_t field, std::uint64_t r) {
      return shape.gaps == RowGaps::None ? data.as<Number>(field, 0) + r * shape.columns
                                         : data.as<Number>(field, r);
    };
    withOp(shape.kind.op, [&](auto function) {
      for (std::uint64_t r = 0; r < shape.rows; ++r) {
        const Number* row = row_of(0, r);
        Number* out = row_of(out_field, r);
        if (shape.axis == VectorAxis::Inner) {
          mapNumbers(shape.columns, function, row, vector, out);
        } else {
          const auto more = static_cast<float>(vector[r]);
          mapNumbers(
              shape.columns, [&](float x) { return function(x, more); }, row, out);
        }
      }
    });
  });
}

std::string nameFor(const BroadcastVectorShape& shape) {
  const char* axis = shape.axis == VectorAxis::Inner ? "Inner" : "Outer";
  const char* form = shape.gaps == RowGaps::None ? "1D" : "2D";
  return std::string("popops::BroadcastVector") + axis + form +
         (isInPlace(shape) ? "InPlace<" : "<") + upperCase(operatorOf(shape.kind.op).word) + "," +
         nameOf(shape.kind.type.element()) + ">";
}

std::vector<Field> fieldsOf(const BroadcastVectorShape& shape) {
  const ElementType type = shape.kind.type.element();
  const EdgeGroup data = shape.gaps == RowGaps::None ? EdgeGroup{1, shape.rows * shape.columns}
                                                     : EdgeGroup{shape.rows, shape.columns};
  const std::uint64_t length = shape.axis == VectorAxis::Inner ? shape.columns : shape.rows;
  std::vector<Field> fields{
      {"data", isInPlace(shape) ? FieldDirection::InOut : FieldDirection::Input, type, {data}},
      {"B", FieldDirection::Input, type, {{1, length}}}};
  if (!isInPlace(shape)) fields.push_back({"out", FieldDirection::Output, type, {data}});
  return fields;
}

VertexType readBroadcastVector(const ConfigReader& config, const Architecture& /*machine*/) {
  const auto operators = operatorsOf({BinaryOp::Add, BinaryOp::Subtract, BinaryOp::Multiply});
  const auto kind = readOperatorKind<models::BinaryOpKind>(config, operators, kNumberWords);
  return broadcastVectorVertex({kind, readWord(config, "axis", kAxisWords),
                                readCount(config, "rows"), readCount(config, "columns"),
                                readWord(config, "gaps", kGapsWords, RowGaps::None)});
}

}  // namespace

VertexType broadcastVectorVertex(const BroadcastVectorShape& shape) {
  check(shape.rows > 0 && shape.columns > 0, "a vector beside nothing");
  VertexType type;
  type.name = nameFor(shape);
  type.maker = kBroadcastVectorEntry.name;
  type.params = {{"op", operatorOf(shape.kind.op).word},
                 {"type", wordOf(shape.kind.type.element(), kNumberWords)},
                 {"in_place", wordOf(shape.kind.placement, kInPlaceWords)},
                 {"axis", wordOf(shape.axis, kAxisWords)},
                 {"rows", shape.rows},
                 {"columns", shape.columns},
                 {"gaps", wordOf(shape.gaps, kGapsWords)}};
  type.kind = VertexKind::Supervisor;
  type.fields = fieldsOf(shape);
  type.sizes = {kBroadcastVectorStateBytes,
                shape.gaps == RowGaps::None ? Bytes(0) : kBroadcastVectorPointerBytes * shape.rows,
                kElementwiseCodeBytes};
  type.work = workOn(type.fields, Flops(shape.rows * shape.columns));
  return withFunctions<BroadcastVectorShape>(std::move(type), shape,
                                             {broadcastVectorCost, computeBroadcastVector});
}

const VertexEntry kBroadcastVectorEntry{
    "broadcast_vector",
    "a vector with each row or column of a matrix, BroadcastVector: op, type, in_place, "
    "axis, rows, columns",
    readBroadcastVector};

}  // namespace ipusim::workloads
