// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/unary_op.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "workloads/vertices/number.h"

namespace ipusim::workloads {

using models::OpPlacement;

namespace {

// Pointers and the length, or how many runs; in place one pointer less.
// Source: poplibs lib/popops/codelets/UnaryCodelets.cpp.
constexpr std::uint64_t kStateBytes = 12;
constexpr std::uint64_t kInPlaceStateBytes = 8;
// Of each run of the 2D form, in the same place.
constexpr std::uint64_t kRunBytes = 12;
constexpr std::uint64_t kInPlaceRunBytes = 8;
// Estimated: recorded profiles have 160 to 250 B an elementwise vertex type and tile
// (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 200;

struct OpEntry {
  const char* name;
  float (*apply)(float);
};

float geluErf(float x) {
  constexpr float kSqrtHalf = 0.70710678F;
  return 0.5F * x * (1 + std::erf(x * kSqrtHalf));
}

float signum(float x) {
  return static_cast<float>(x > 0) - static_cast<float>(x < 0);
}

const OpEntry& entryOf(models::UnaryOp op) {
  using Op = models::UnaryOp;
  static const std::map<Op, OpEntry> kEntries{
      {Op::Absolute, {"ABSOLUTE", [](float x) { return std::abs(x); }}},
      {Op::Ceil, {"CEIL", [](float x) { return std::ceil(x); }}},
      {Op::Exponent, {"EXPONENT", [](float x) { return std::exp(x); }}},
      {Op::ExponentMinusOne, {"EXPONENT_MINUS_ONE", [](float x) { return std::expm1(x); }}},
      {Op::GeluErf, {"GELU_ERF", geluErf}},
      {Op::Inverse, {"INVERSE", [](float x) { return 1 / x; }}},
      {Op::Logarithm, {"LOGARITHM", [](float x) { return std::log(x); }}},
      {Op::LogarithmOnePlus, {"LOGARITHM_ONE_PLUS", [](float x) { return std::log1p(x); }}},
      {Op::Negate, {"NEGATE", [](float x) { return -x; }}},
      {Op::Relu, {"RELU", [](float x) { return std::max(x, 0.0F); }}},
      {Op::Rsqrt, {"RSQRT", [](float x) { return 1 / std::sqrt(x); }}},
      {Op::Sigmoid, {"SIGMOID", [](float x) { return 1 / (1 + std::exp(-x)); }}},
      {Op::Signum, {"SIGNUM", signum}},
      {Op::Sqrt, {"SQRT", [](float x) { return std::sqrt(x); }}},
      {Op::Square, {"SQUARE", [](float x) { return x * x; }}},
      {Op::Tanh, {"TANH", [](float x) { return std::tanh(x); }}},
  };
  const auto entry = kEntries.find(op);
  check(entry != kEntries.end(), "an operator that no vertex here computes");
  return entry->second;
}

bool isInPlace(const models::UnaryOpKind& op) {
  return op.placement == OpPlacement::InPlace;
}

}  // namespace

UnaryOp::UnaryOp(const models::UnaryOpKind& op, Runs runs) : op_(op), runs_(std::move(runs)) {
  const EdgeGroups groups = runs_.groups();
  const models::ElementType type = op.type.element();
  if (isInPlace(op)) {
    fields_ = {{"inOut", FieldDirection::InOut, type, groups}};
  } else {
    fields_ = {{"in", FieldDirection::Input, type, groups},
               {"out", FieldDirection::Output, type, groups}};
  }
}

std::string UnaryOp::name() const {
  return "popops::UnaryOp" + runs_.suffix() + (isInPlace(op_) ? "InPlace<" : "<") +
         entryOf(op_.op).name + "," + nameOf(op_.type.element()) + ">";
}

Cycles UnaryOp::cycles(const models::Machine& machine) const {
  if (runs_.isOne()) return models::unaryOpCycles(machine, {op_, runs_.elements()});
  return models::unaryOp2dCycles(machine, {op_, runs_.lengths()});
}

Bytes UnaryOp::stateBytes() const {
  return Bytes(isInPlace(op_) ? kInPlaceStateBytes : kStateBytes);
}

Bytes UnaryOp::fieldDataBytes() const {
  return runs_.tableBytes(isInPlace(op_) ? kInPlaceRunBytes : kRunBytes);
}

Bytes UnaryOp::codeBytes() const {
  return Bytes(kCodeBytes);
}

void UnaryOp::compute(const VertexData& data) const {
  withNumber(op_.type.element(), [&](auto number) {
    using Number = decltype(number);
    const auto apply = entryOf(op_.op).apply;
    for (std::size_t run = 0; run < runs_.lengths().size(); ++run) {
      const auto* in = data.as<Number>(0, run);
      std::transform(in, in + runs_.lengths()[run], data.as<Number>(fields_.size() - 1, run),
                     [&](Number x) { return static_cast<Number>(apply(static_cast<float>(x))); });
    }
  });
}

}  // namespace ipusim::workloads
