// SPDX-License-Identifier: Apache-2.0
#include "workloads/codelets/add_in_place.h"

#include "models/ipu/cost/binary_op.h"
#include "sim/base/error.h"
#include "workloads/codelets/number.h"

namespace ipusim::workloads {

using models::ElementType;

namespace {

// Two pointers and how many elements each worker takes.
// Source: poplibs lib/popops/codelets/BinaryOp1D.cpp.
constexpr std::uint64_t kStateBytes = 12;
// Estimated, as for other small vertices: recorded profiles have 160 to 250 B a type and tile
// (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 200;

}  // namespace

AddInPlace1D::AddInPlace1D(ElementType type, std::uint64_t elements)
    : type_(type), elements_(elements) {
  check(elements > 0, "AddInPlace1D of nothing");
  fields_ = {{"in1Out", FieldDirection::InOut, type, {{1, elements}}},
             {"in2", FieldDirection::Input, type, {{1, elements}}}};
}

std::string AddInPlace1D::name() const {
  return std::string("popops::BinaryOp1DInPlace<ADD,") + nameOf(type_) + ">";
}

Cycles AddInPlace1D::cycles(const models::Machine& machine) const {
  const models::BinaryOpKind kind{models::BinaryOp::Add, type_, models::OpPlacement::InPlace};
  return models::binaryOpCycles(machine, {kind, elements_});
}

Bytes AddInPlace1D::stateBytes() const {
  return Bytes(kStateBytes);
}

Bytes AddInPlace1D::codeBytes() const {
  return Bytes(kCodeBytes);
}

Flops AddInPlace1D::flops() const {
  return Flops(type_ == ElementType::UInt32 ? 0 : elements_);
}

void AddInPlace1D::compute(const VertexData& data) const {
  if (type_ == ElementType::UInt32) {
    for (std::uint64_t i = 0; i < elements_; ++i) {
      data.as<std::uint32_t>(0, 0)[i] += data.as<std::uint32_t>(1, 0)[i];
    }
    return;
  }
  withNumber(type_, [&](auto number) {
    using Number = decltype(number);
    auto* sum = data.as<Number>(0, 0);
    const auto* more = data.as<Number>(1, 0);
    for (std::uint64_t i = 0; i < elements_; ++i) {
      sum[i] = static_cast<Number>(static_cast<float>(sum[i]) + static_cast<float>(more[i]));
    }
  });
}

}  // namespace ipusim::workloads
