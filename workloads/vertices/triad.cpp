// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/triad.h"

#include "base/error.h"
#include "models/ipu/cost/scaled_add.h"

namespace ipusim::workloads {

using models::ElementType;

namespace {

// Three pointers, a length and the scale.
constexpr std::uint64_t kStateBytes = 20;
// Estimated, as for other small vertices: recorded profiles have 160 to 250 B a type and tile
// (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 200;

}  // namespace

Triad::Triad(float scale, std::uint64_t elements) : scale_(scale), elements_(elements) {
  check(elements > 0, "a triad of nothing");
  const EdgeGroups one_edge{{1, elements}};
  fields_ = {{"b", FieldDirection::Input, ElementType::Float, one_edge},
             {"c", FieldDirection::Input, ElementType::Float, one_edge, FieldMemory::Any, 0},
             {"out", FieldDirection::Output, ElementType::Float, one_edge, FieldMemory::Any, 1}};
}

Cycles Triad::cycles(const models::Machine& machine) const {
  const models::ScaledAddKind add{models::ScaledOp::Add, ElementType::Float, ElementType::Float,
                                  models::OperandMemory::Apart};
  return models::scaledAddCycles(machine, {add, elements_});
}

Bytes Triad::stateBytes() const {
  return Bytes(kStateBytes);
}

Bytes Triad::codeBytes() const {
  return Bytes(kCodeBytes);
}

void Triad::compute(const VertexData& data) const {
  const auto* b = data.as<float>(0, 0);
  const auto* c = data.as<float>(1, 0);
  auto* out = data.as<float>(2, 0);
  for (std::uint64_t i = 0; i < elements_; ++i) out[i] = b[i] + scale_ * c[i];
}

}  // namespace ipusim::workloads
