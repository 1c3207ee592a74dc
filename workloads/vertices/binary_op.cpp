// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/binary_op.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "workloads/vertices/number.h"

namespace ipusim::workloads {

using models::ElementType;
using models::OpPlacement;

namespace {

// Pointers and the length, and where they stand for a list, how many; in place one pointer less.
// Source: poplibs lib/popops/codelets/BinaryCodelets.cpp.
constexpr std::uint64_t kStateBytes = 16;
constexpr std::uint64_t kInPlaceStateBytes = 12;
// Of each run of the 2D form, in the same place.
constexpr std::uint64_t kRunBytes = 16;
constexpr std::uint64_t kInPlaceRunBytes = 12;
// Estimated: recorded profiles have 160 to 250 B an elementwise vertex type and tile
// (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 200;

const char* nameOfOp(models::BinaryOp op) {
  switch (op) {
    case models::BinaryOp::Add:
      return "ADD";
    case models::BinaryOp::Subtract:
      return "SUBTRACT";
    case models::BinaryOp::Multiply:
      return "MULTIPLY";
    case models::BinaryOp::Divide:
      return "DIVIDE";
    case models::BinaryOp::Maximum:
      return "MAXIMUM";
    case models::BinaryOp::Minimum:
      return "MINIMUM";
    case models::BinaryOp::Power:
      return "POWER";
    case models::BinaryOp::Equal:
      return "EQUAL";
    case models::BinaryOp::GreaterThan:
      return "GREATER_THAN";
    default:
      throw InternalError("an operator that no vertex here has");
  }
}

/// Calls `use` with the function that `op` is on values of type `Number`.
template <typename Number, typename Use>
void withOp(models::BinaryOp op, const Use& use) {
  switch (op) {
    case models::BinaryOp::Add:
      return use([](Number a, Number b) { return static_cast<Number>(a + b); });
    case models::BinaryOp::Subtract:
      return use([](Number a, Number b) { return static_cast<Number>(a - b); });
    case models::BinaryOp::Multiply:
      return use([](Number a, Number b) { return static_cast<Number>(a * b); });
    case models::BinaryOp::Divide:
      return use([](Number a, Number b) { return static_cast<Number>(a / b); });
    case models::BinaryOp::Maximum:
      return use([](Number a, Number b) { return std::max(a, b); });
    case models::BinaryOp::Minimum:
      return use([](Number a, Number b) { return std::min(a, b); });
    case models::BinaryOp::Power:
      return use([](Number a, Number b) { return static_cast<Number>(std::pow(a, b)); });
    case models::BinaryOp::Equal:
      return use([](Number a, Number b) { return static_cast<Number>(a == b ? 1 : 0); });
    case models::BinaryOp::GreaterThan:
      return use([](Number a, Number b) { return static_cast<Number>(a > b ? 1 : 0); });
    default:
      throw InternalError("an operator that no vertex here computes");
  }
}

bool isInPlace(const models::BinaryOpKind& op) {
  return op.placement == OpPlacement::InPlace;
}

template <typename Element, typename Result>
void apply(const models::BinaryOpKind& op, const Runs& runs, const VertexData& data) {
  using Number = Arithmetic<Element>;
  const std::size_t out_field = isInPlace(op) ? 0 : 2;
  withOp<Number>(op.op, [&](auto function) {
    for (std::size_t run = 0; run < runs.lengths().size(); ++run) {
      const auto* in1 = data.as<Element>(0, run);
      const auto* in2 = data.as<Element>(1, run);
      auto* out = data.as<Result>(out_field, run);
      for (std::uint64_t i = 0; i < runs.lengths()[run]; ++i) {
        out[i] =
            static_cast<Result>(function(static_cast<Number>(in1[i]), static_cast<Number>(in2[i])));
      }
    }
  });
}

}  // namespace

ElementType resultType(models::BinaryOp op, ElementType type) {
  const bool compares = op == models::BinaryOp::Equal || op == models::BinaryOp::GreaterThan;
  return compares ? ElementType::Bool : type;
}

BinaryOp::BinaryOp(const models::BinaryOpKind& op, Runs runs) : op_(op), runs_(std::move(runs)) {
  const EdgeGroups groups = runs_.groups();
  const ElementType type = op.type.element();
  if (isInPlace(op)) {
    fields_ = {{"in1Out", FieldDirection::InOut, type, groups},
               {"in2", FieldDirection::Input, type, groups}};
  } else {
    fields_ = {{"in1", FieldDirection::Input, type, groups},
               {"in2", FieldDirection::Input, type, groups},
               {"out", FieldDirection::Output, resultType(op.op, type), groups}};
  }
}

std::string BinaryOp::name() const {
  return "popops::BinaryOp" + runs_.suffix() + (isInPlace(op_) ? "InPlace<" : "<") +
         nameOfOp(op_.op) + "," + nameOf(op_.type.element()) + ">";
}

Cycles BinaryOp::cycles(const models::Machine& machine) const {
  if (runs_.isOne()) return models::binaryOpCycles(machine, {op_, runs_.elements()});
  return models::binaryOp2dCycles(machine, {op_, runs_.lengths()});
}

Bytes BinaryOp::stateBytes() const {
  return Bytes(isInPlace(op_) ? kInPlaceStateBytes : kStateBytes);
}

Bytes BinaryOp::fieldDataBytes() const {
  return runs_.tableBytes(isInPlace(op_) ? kInPlaceRunBytes : kRunBytes);
}

Bytes BinaryOp::codeBytes() const {
  return Bytes(kCodeBytes);
}

Flops BinaryOp::flops() const {
  return Flops(isFloating(op_.type.element()) ? runs_.elements() : 0);
}

void BinaryOp::compute(const VertexData& data) const {
  const ElementType type = op_.type.element();
  withElement(type, [&](auto element) {
    using Element = decltype(element);
    if (resultType(op_.op, type) == type) {
      apply<Element, Element>(op_, runs_, data);
    } else {
      apply<Element, std::uint8_t>(op_, runs_, data);
    }
  });
}

}  // namespace ipusim::workloads
