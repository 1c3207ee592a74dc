// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/broadcast_vector.h"

#include <algorithm>

#include "base/error.h"
#include "models/ipu/cost/broadcast.h"
#include "models/ipu/cost/broadcast_inner.h"
#include "workloads/vertices/number.h"

namespace ipusim::workloads {

using models::BinaryOp;
using models::nameOf;
using models::OpPlacement;

namespace {

// Two pointers and two sizes. Source: poplibs lib/popops/codelets/BroadcastVector*.cpp.
constexpr std::uint64_t kStateBytes = 12;
constexpr std::uint64_t kPointerBytes = 4;
// Estimated: recorded profiles have 160 to 250 B an elementwise vertex type and tile
// (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 200;

const char* nameOf(BinaryOp op) {
  if (op == BinaryOp::Multiply) return "MULTIPLY";
  return op == BinaryOp::Add ? "ADD" : "SUBTRACT";
}

float apply(BinaryOp op, float left, float right) {
  if (op == BinaryOp::Multiply) return left * right;
  return op == BinaryOp::Add ? left + right : left - right;
}

Cycles outerCycles(const models::Machine& machine, const BroadcastVectorShape& shape) {
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

}  // namespace

BroadcastVector::BroadcastVector(const BroadcastVectorShape& shape) : shape_(shape) {
  check(shape.rows > 0 && shape.columns > 0, "a vector beside nothing");
  const bool in_place = shape.kind.placement == OpPlacement::InPlace;
  const EdgeGroup data = shape.gaps == RowGaps::None ? EdgeGroup{1, shape.rows * shape.columns}
                                                     : EdgeGroup{shape.rows, shape.columns};
  const std::uint64_t length = shape.axis == VectorAxis::Inner ? shape.columns : shape.rows;
  fields_ = {{"data",
              in_place ? FieldDirection::InOut : FieldDirection::Input,
              shape.kind.type.element(),
              {data}},
             {"B", FieldDirection::Input, shape.kind.type.element(), {{1, length}}}};
  if (!in_place)
    fields_.push_back({"out", FieldDirection::Output, shape.kind.type.element(), {data}});
}

std::string BroadcastVector::name() const {
  const char* axis = shape_.axis == VectorAxis::Inner ? "Inner" : "Outer";
  const char* form = shape_.gaps == RowGaps::None ? "1D" : "2D";
  const char* placement = shape_.kind.placement == OpPlacement::InPlace ? "InPlace<" : "<";
  return std::string("popops::BroadcastVector") + axis + form + placement + nameOf(shape_.kind.op) +
         "," + nameOf(shape_.kind.type.element()) + ">";
}

Cycles BroadcastVector::cycles(const models::Machine& machine) const {
  if (shape_.axis == VectorAxis::Outer) return outerCycles(machine, shape_);
  return models::broadcastInnerCycles(machine, {shape_.kind, shape_.columns, 1, shape_.rows});
}

Bytes BroadcastVector::stateBytes() const {
  return Bytes(kStateBytes);
}

Bytes BroadcastVector::fieldDataBytes() const {
  return Bytes(shape_.gaps == RowGaps::None ? 0 : shape_.rows * kPointerBytes);
}

Bytes BroadcastVector::codeBytes() const {
  return Bytes(kCodeBytes);
}

void BroadcastVector::compute(const VertexData& data) const {
  const std::size_t out_field = fields_.size() == 2 ? 0 : 2;
  withNumber(shape_.kind.type.element(), [&](auto number) {
    using Number = decltype(number);
    const auto* vector = data.as<Number>(1, 0);
    const auto row_of = [&](std::size_t field, std::uint64_t r) {
      return shape_.gaps == RowGaps::None ? data.as<Number>(field, 0) + r * shape_.columns
                                          : data.as<Number>(field, r);
    };
    for (std::uint64_t r = 0; r < shape_.rows; ++r) {
      const Number* row = row_of(0, r);
      Number* out = row_of(out_field, r);
      for (std::uint64_t c = 0; c < shape_.columns; ++c) {
        const Number more = vector[shape_.axis == VectorAxis::Inner ? c : r];
        out[c] = static_cast<Number>(
            apply(shape_.kind.op, static_cast<float>(row[c]), static_cast<float>(more)));
      }
    }
  });
}

}  // namespace ipusim::workloads
