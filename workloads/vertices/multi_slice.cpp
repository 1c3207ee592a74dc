// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/multi_slice.h"

#include <cstring>

#include "base/error.h"
#include "workloads/vertices/number.h"

namespace ipusim::workloads {

using models::ElementType;

namespace {

// Pointers, sizes and what the workers take each; an update has the scale too.
// Source: poplibs lib/popops/codelets/MultiSlice.cpp, ScaledMultiUpdateOp.cpp.
constexpr std::uint64_t kSliceStateBytes = 32;
constexpr std::uint64_t kUpdateStateBytes = 36;
// Estimated, as for other small vertices: recorded profiles have 160 to 250 B a type and tile
// (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 240;

void checkShape(const LookUpShape& shape) {
  check(shape.rows > 0 && shape.elements > 0 && shape.offsets > 0, "a look-up of nothing");
}

/// Estimates take every offset for one of the table's rows.
models::LookUps allInRange(const LookUpShape& shape) {
  return {shape.offsets, shape.offsets};
}

}  // namespace

MultiSlice::MultiSlice(const LookUpShape& shape) : shape_(shape) {
  checkShape(shape);
  fields_ = {{"offsets", FieldDirection::Input, ElementType::UInt32, {{1, shape.offsets}}},
             {"baseT", FieldDirection::Input, shape.type, {{1, shape.rows * shape.elements}}},
             {"subT", FieldDirection::Output, shape.type, {{1, shape.offsets * shape.elements}}}};
}

std::string MultiSlice::name() const {
  return std::string("popops::MultiSlice<") + nameOf(shape_.type) + ">";
}

Cycles MultiSlice::cycles(const models::Machine& machine) const {
  const auto split =
      shape_.offsets == 1 ? models::SliceSplit::SingleRegion : models::SliceSplit::Offsets;
  return models::multiSliceCycles(machine, {models::SliceDirection::Slice, sizeOf(shape_.type),
                                            shape_.elements, allInRange(shape_), split});
}

Bytes MultiSlice::stateBytes() const {
  return Bytes(kSliceStateBytes);
}

Bytes MultiSlice::codeBytes() const {
  return Bytes(kCodeBytes);
}

void MultiSlice::compute(const VertexData& data) const {
  const std::size_t bytes = (sizeOf(shape_.type) * shape_.elements).value();
  const auto* offsets = data.as<std::uint32_t>(0, 0);
  for (std::uint64_t i = 0; i < shape_.offsets; ++i) {
    if (offsets[i] >= shape_.rows) continue;
    std::memcpy(data.edge(2, 0) + i * bytes, data.edge(1, 0) + offsets[i] * bytes, bytes);
  }
}

MultiUpdateAdd::MultiUpdateAdd(const LookUpShape& shape) : shape_(shape) {
  checkShape(shape);
  fields_ = {{"offsets", FieldDirection::Input, ElementType::UInt32, {{1, shape.offsets}}},
             {"baseT", FieldDirection::InOut, shape.type, {{1, shape.rows * shape.elements}}},
             {"subT", FieldDirection::Input, shape.type, {{1, shape.offsets * shape.elements}}},
             {"scale", FieldDirection::Input, shape.type, {{1, 1}}}};
}

std::string MultiUpdateAdd::name() const {
  return std::string("popops::ScaledMultiUpdateOp<") + nameOf(shape_.type) + "," +
         nameOf(shape_.type) + ",ADD>";
}

Cycles MultiUpdateAdd::cycles(const models::Machine& machine) const {
  return multiUpdateAddCycles(machine, shape_);
}

Bytes MultiUpdateAdd::stateBytes() const {
  return Bytes(kUpdateStateBytes);
}

Bytes MultiUpdateAdd::codeBytes() const {
  return Bytes(kCodeBytes);
}

void MultiUpdateAdd::compute(const VertexData& data) const {
  withNumber(shape_.type, [&](auto number) {
    using Number = decltype(number);
    const auto* offsets = data.as<std::uint32_t>(0, 0);
    const auto* added = data.as<Number>(2, 0);
    const auto scale = static_cast<float>(*data.as<Number>(3, 0));
    for (std::uint64_t i = 0; i < shape_.offsets; ++i, added += shape_.elements) {
      if (offsets[i] >= shape_.rows) continue;
      auto* row = data.as<Number>(1, 0) + offsets[i] * shape_.elements;
      for (std::uint64_t e = 0; e < shape_.elements; ++e) {
        row[e] =
            static_cast<Number>(static_cast<float>(row[e]) + scale * static_cast<float>(added[e]));
      }
    }
  });
}

Cycles multiUpdateAddCycles(const models::Machine& machine, const LookUpShape& shape) {
  const bool parts =
      sizeOf(shape.type).value() * shape.elements % machine.atomic_store.value() != 0;
  return models::multiUpdateCycles(
      machine, {models::UpdateOp::ScaledAdd, shape.type, shape.type, shape.elements,
                allInRange(shape), machine.atomic_store,
                parts ? models::SubWordWrites::Needed : models::SubWordWrites::Avoided});
}

}  // namespace ipusim::workloads
