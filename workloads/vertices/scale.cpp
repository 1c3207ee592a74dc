// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/scale.h"

#include <algorithm>
#include <utility>

#include "models/ipu/cost/broadcast.h"
#include "workloads/vertices/number.h"

namespace ipusim::workloads {

using models::OpPlacement;

namespace {

// Two pointers, in place one, that of the scalar, and the length or how many runs.
// Source: poplibs lib/popops/codelets/BroadcastScalar*.cpp.
constexpr std::uint64_t kScalarStateBytes = 16;
constexpr std::uint64_t kScalarInPlaceStateBytes = 12;
constexpr std::uint64_t kScalarRunBytes = 12;
constexpr std::uint64_t kScalarInPlaceRunBytes = 8;
// Two pointers, the length and the scale; several runs have their number too.
// Source: poplibs lib/popops/codelets/ScaledAddSubtract.cpp.
constexpr std::uint64_t kAddStateBytes = 12;
constexpr std::uint64_t kAdd2dStateBytes = 16;
constexpr std::uint64_t kAddRunBytes = 12;
// Estimated: recorded profiles have 160 to 250 B an elementwise vertex type and tile
// (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 200;

}  // namespace

ScaleByScalar::ScaleByScalar(models::ElementType type, OpPlacement placement, Runs runs)
    : type_(type), placement_(placement), runs_(std::move(runs)) {
  const bool in_place = placement == OpPlacement::InPlace;
  const EdgeGroups groups = runs_.groups();
  fields_ = {{"data", in_place ? FieldDirection::InOut : FieldDirection::Input, type, groups},
             {"B", FieldDirection::Input, type, {{1, 1}}}};
  if (!in_place) fields_.push_back({"out", FieldDirection::Output, type, groups});
}

std::string ScaleByScalar::name() const {
  return "popops::BroadcastScalar" + runs_.suffix() + (runs_.isOne() ? "" : "Data") +
         (placement_ == OpPlacement::InPlace ? "InPlace<MULTIPLY," : "<MULTIPLY,") + nameOf(type_) +
         ">";
}

Cycles ScaleByScalar::cycles(const models::Machine& machine) const {
  const models::BinaryOpKind multiply{models::BinaryOp::Multiply, type_, placement_};
  if (runs_.isOne()) return models::broadcastScalarCycles(machine, {multiply, runs_.elements()});
  return models::broadcastScalar2dCycles(
      machine, {multiply, models::BroadcastScalars::One, runs_.lengths()});
}

Bytes ScaleByScalar::stateBytes() const {
  return Bytes(placement_ == OpPlacement::InPlace ? kScalarInPlaceStateBytes : kScalarStateBytes);
}

Bytes ScaleByScalar::fieldDataBytes() const {
  const bool in_place = placement_ == OpPlacement::InPlace;
  return runs_.tableBytes(in_place ? kScalarInPlaceRunBytes : kScalarRunBytes);
}

Bytes ScaleByScalar::codeBytes() const {
  return Bytes(kCodeBytes);
}

void ScaleByScalar::compute(const VertexData& data) const {
  withNumber(type_, [&](auto number) {
    using Number = decltype(number);
    const auto scale = static_cast<float>(*data.as<Number>(1, 0));
    const std::size_t out_field = placement_ == OpPlacement::InPlace ? 0 : 2;
    for (std::size_t run = 0; run < runs_.lengths().size(); ++run) {
      const auto* in = data.as<Number>(0, run);
      std::transform(in, in + runs_.lengths()[run], data.as<Number>(out_field, run),
                     [&](Number x) { return static_cast<Number>(scale * static_cast<float>(x)); });
    }
  });
}

ScaledAdd::ScaledAdd(const models::ScaledAddKind& add, float scale, Runs runs)
    : add_(add), scale_(scale), runs_(std::move(runs)) {
  fields_ = {{"A", FieldDirection::InOut, add.a, runs_.groups()},
             {"B", FieldDirection::Input, add.b, runs_.groups()}};
  if (add.memory == models::OperandMemory::Apart) fields_[0].apart_from = 1;
}

std::string ScaledAdd::name() const {
  const char* op =
      add_.op == models::ScaledOp::Add ? "popops::ScaledAdd" : "popops::ScaledSubtract";
  const char* apart = add_.memory == models::OperandMemory::Apart ? "true" : "false";
  return op + std::string(runs_.isOne() ? "Supervisor<" : "2D<") + nameOf(add_.a) + "," +
         nameOf(add_.b) + ",float,true," + apart + ">";
}

Cycles ScaledAdd::cycles(const models::Machine& machine) const {
  if (runs_.isOne()) return models::scaledAddCycles(machine, {add_, runs_.elements()});
  return models::scaledAdd2dCycles(machine, {add_, runs_.lengths()});
}

Bytes ScaledAdd::stateBytes() const {
  return Bytes(runs_.isOne() ? kAddStateBytes : kAdd2dStateBytes);
}

Bytes ScaledAdd::fieldDataBytes() const {
  return runs_.tableBytes(kAddRunBytes);
}

Bytes ScaledAdd::codeBytes() const {
  return Bytes(kCodeBytes);
}

void ScaledAdd::compute(const VertexData& data) const {
  const float scale = add_.op == models::ScaledOp::Add ? scale_ : -scale_;
  withNumber(add_.a, [&](auto a) {
    withNumber(add_.b, [&](auto b) {
      using A = decltype(a);
      for (std::size_t run = 0; run < runs_.lengths().size(); ++run) {
        auto* sum = data.as<A>(0, run);
        const auto* more = data.as<decltype(b)>(1, run);
        for (std::uint64_t i = 0; i < runs_.lengths()[run]; ++i) {
          sum[i] = static_cast<A>(static_cast<float>(sum[i]) + scale * static_cast<float>(more[i]));
        }
      }
    });
  });
}

}  // namespace ipusim::workloads
