// SPDX-License-Identifier: Apache-2.0
#include "workloads/codelets/broadcast_add.h"

#include <algorithm>

#include "models/ipu/cost/broadcast.h"
#include "sim/base/error.h"
#include "workloads/codelets/number.h"

namespace ipusim::workloads {

using models::BinaryOp;
using models::OpPlacement;

namespace {

// Two pointers and two sizes. Source: poplibs lib/popops/codelets/BroadcastVector*.cpp.
constexpr std::uint64_t kStateBytes = 12;
constexpr std::uint64_t kPointerBytes = 4;
// Estimated: recorded profiles have 160 to 250 B an elementwise vertex type and tile
// (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 200;

Cycles outerCycles(const models::Machine& machine, const BroadcastAddShape& shape) {
  const bool aligned = shape.columns * sizeOf(shape.type).value() % machine.data_path.value() == 0;
  models::BroadcastOuterShape outer{
      shape.type, models::OuterSplit::ByRow,
      aligned ? models::RowAlignment::Aligned : models::RowAlignment::Misaligned, shape.rows,
      shape.columns};
  const Cycles by_row = models::broadcastOuterCycles(machine, outer);
  outer.split = models::OuterSplit::ByColumn;
  return std::min(by_row, models::broadcastOuterCycles(machine, outer));
}

}  // namespace

BroadcastAdd::BroadcastAdd(const BroadcastAddShape& shape) : shape_(shape) {
  check(shape.rows > 0 && shape.columns > 0, "a vector added to nothing");
  const EdgeGroup data = shape.gaps == RowGaps::None ? EdgeGroup{1, shape.rows * shape.columns}
                                                     : EdgeGroup{shape.rows, shape.columns};
  const std::uint64_t length = shape.axis == VectorAxis::Inner ? shape.columns : shape.rows;
  fields_ = {{"data", FieldDirection::InOut, shape.type, {data}},
             {"B", FieldDirection::Input, shape.type, {{1, length}}}};
}

std::string BroadcastAdd::name() const {
  const char* axis = shape_.axis == VectorAxis::Inner ? "Inner" : "Outer";
  const char* form = shape_.gaps == RowGaps::None ? "1D" : "2D";
  return std::string("popops::BroadcastVector") + axis + form + "InPlace<ADD," +
         nameOf(shape_.type) + ">";
}

Cycles BroadcastAdd::cycles(const models::Machine& machine) const {
  if (shape_.axis == VectorAxis::Outer) return outerCycles(machine, shape_);
  return models::broadcastInnerCycles(
      machine,
      {{BinaryOp::Add, shape_.type, OpPlacement::InPlace}, shape_.columns, 1, shape_.rows});
}

Bytes BroadcastAdd::stateBytes() const {
  return Bytes(kStateBytes);
}

Bytes BroadcastAdd::fieldDataBytes() const {
  return Bytes(shape_.gaps == RowGaps::None ? 0 : shape_.rows * kPointerBytes);
}

Bytes BroadcastAdd::codeBytes() const {
  return Bytes(kCodeBytes);
}

void BroadcastAdd::compute(const VertexData& data) const {
  withNumber(shape_.type, [&](auto number) {
    using Number = decltype(number);
    const auto* vector = data.as<Number>(1, 0);
    for (std::uint64_t r = 0; r < shape_.rows; ++r) {
      auto* row = shape_.gaps == RowGaps::None ? data.as<Number>(0, 0) + r * shape_.columns
                                               : data.as<Number>(0, r);
      for (std::uint64_t c = 0; c < shape_.columns; ++c) {
        const Number more = vector[shape_.axis == VectorAxis::Inner ? c : r];
        row[c] = static_cast<Number>(static_cast<float>(row[c]) + static_cast<float>(more));
      }
    }
  });
}

}  // namespace ipusim::workloads
