// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/one_hot.h"

#include "base/error.h"
#include "models/ipu/cost/multi_slice.h"
#include "models/ipu/cost/small_vertices.h"
#include "workloads/vertices/number.h"

namespace ipusim::workloads {

namespace {

// Two pointers and two sizes. Source: poplibs lib/popops/codelets/EncodeOneHot.cpp.
constexpr std::uint64_t kStateBytes = 16;
// Estimated, as for other small vertices: recorded profiles have 160 to 250 B a type and tile
// (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 160;

}  // namespace

OneHot::OneHot(const OneHotShape& shape) : shape_(shape) {
  check(shape.rows > 0 && shape.classes > 0, "one-hot rows of nothing");
  fields_ = {{"indices", FieldDirection::Input, models::ElementType::UInt32, {{1, shape.rows}}},
             {"out", FieldDirection::InOut, shape.type, {{1, shape.rows * shape.classes}}}};
}

std::string OneHot::name() const {
  return std::string("popops::EncodeOneHot<unsigned int,") + nameOf(shape_.type) + ">";
}

Cycles OneHot::cycles(const models::Machine& machine) const {
  using models::ElementType;
  if (shape_.type == ElementType::Half) {
    return models::encodeOneHotCycles(ElementType::UInt32, shape_.type, shape_.rows);
  }
  return models::multiSliceCycles(
      machine,
      {models::SliceDirection::Update, sizeOf(shape_.type), 1, {shape_.rows, shape_.rows}});
}

Bytes OneHot::stateBytes() const {
  return Bytes(kStateBytes);
}

Bytes OneHot::codeBytes() const {
  return Bytes(kCodeBytes);
}

void OneHot::compute(const VertexData& data) const {
  withNumber(shape_.type, [&](auto number) {
    using Number = decltype(number);
    const auto* indices = data.as<std::uint32_t>(0, 0);
    auto* row = data.as<Number>(1, 0);
    for (std::uint64_t r = 0; r < shape_.rows; ++r, row += shape_.classes) {
      if (indices[r] < shape_.classes) row[indices[r]] = static_cast<Number>(1.0F);
    }
  });
}

}  // namespace ipusim::workloads
