// SPDX-License-Identifier: Apache-2.0
#include "workloads/codelets/broadcast_rows.h"

#include <algorithm>

#include "models/ipu/cost/broadcast.h"
#include "sim/base/error.h"
#include "workloads/codelets/number.h"

namespace ipusim::workloads {

using models::BinaryOp;
using models::OpPlacement;

namespace {

// Two pointers, in place one, that of the vector, and two sizes.
// Source: poplibs lib/popops/codelets/BroadcastVectorOuter*.cpp.
constexpr std::uint64_t kStateBytes = 16;
constexpr std::uint64_t kInPlaceStateBytes = 12;
// Estimated: recorded profiles have 160 to 250 B an elementwise vertex type and tile
// (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 200;

const char* nameOfOp(BinaryOp op) {
  if (op == BinaryOp::Add) return "ADD";
  return op == BinaryOp::Subtract ? "SUBTRACT" : "MULTIPLY";
}

float applied(BinaryOp op, float a, float b) {
  if (op == BinaryOp::Add) return a + b;
  return op == BinaryOp::Subtract ? a - b : a * b;
}

}  // namespace

BroadcastRows::BroadcastRows(const BroadcastRowsShape& shape) : shape_(shape) {
  const models::BinaryOpKind& op = shape.op;
  check(op.op == BinaryOp::Add || op.op == BinaryOp::Subtract || op.op == BinaryOp::Multiply,
        "a broadcast that is not covered");
  check(shape.rows > 0 && shape.columns > 0, "a broadcast to nothing");
  const bool in_place = op.placement == OpPlacement::InPlace;
  const EdgeGroups matrix{{1, shape.rows * shape.columns}};
  fields_ = {{"data", in_place ? FieldDirection::InOut : FieldDirection::Input, op.type, matrix},
             {"B", FieldDirection::Input, op.type, {{1, shape.rows}}}};
  if (!in_place) fields_.push_back({"out", FieldDirection::Output, op.type, matrix});
}

std::string BroadcastRows::name() const {
  const char* form = shape_.rows == 1 ? "Scalar1D" : "VectorOuter1D";
  const char* placement = shape_.op.placement == OpPlacement::InPlace ? "InPlace<" : "<";
  return std::string("popops::Broadcast") + form + placement + nameOfOp(shape_.op.op) + "," +
         nameOf(shape_.op.type) + ">";
}

Cycles BroadcastRows::cycles(const models::Machine& machine) const {
  if (shape_.rows == 1) return models::broadcastScalarCycles(machine, {shape_.op, shape_.columns});
  const Bytes row = sizeOf(shape_.op.type) * shape_.columns;
  const auto alignment = row.value() % machine.data_path.value() == 0
                             ? models::RowAlignment::Aligned
                             : models::RowAlignment::Misaligned;
  const auto split = [&](models::OuterSplit how) {
    return models::broadcastOuterCycles(
        machine, {shape_.op.type, how, alignment, shape_.rows, shape_.columns});
  };
  return std::min(split(models::OuterSplit::ByRow), split(models::OuterSplit::ByColumn));
}

Bytes BroadcastRows::stateBytes() const {
  return Bytes(shape_.op.placement == OpPlacement::InPlace ? kInPlaceStateBytes : kStateBytes);
}

Bytes BroadcastRows::codeBytes() const {
  return Bytes(kCodeBytes);
}

void BroadcastRows::compute(const VertexData& data) const {
  withNumber(shape_.op.type, [&](auto number) {
    using Number = decltype(number);
    const auto* in = data.as<Number>(0, 0);
    const auto* vector = data.as<Number>(1, 0);
    auto* out = data.as<Number>(fields_.size() == 2 ? 0 : 2, 0);
    for (std::uint64_t i = 0; i < shape_.rows * shape_.columns; ++i) {
      const auto row_value = static_cast<float>(vector[i / shape_.columns]);
      out[i] = static_cast<Number>(applied(shape_.op.op, static_cast<float>(in[i]), row_value));
    }
  });
}

}  // namespace ipusim::workloads
