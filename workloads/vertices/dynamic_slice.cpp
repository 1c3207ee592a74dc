// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/dynamic_slice.h"

#include <cstring>

#include "base/error.h"

namespace ipusim::workloads {

using models::SliceDirection;

namespace {

// Three pointers, the slices and the elements of each, what a worker copies.
// Source: poplibs lib/popops/codelets/DynamicSlice1D.cpp.
constexpr std::uint64_t kStateBytes = 24;
// Estimated, as for other small vertices: recorded profiles have 160 to 250 B a type and tile
// (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 240;

}  // namespace

DynamicSlice1D::DynamicSlice1D(const SlicedShape& shape, SliceDirection direction)
    : shape_(shape), direction_(direction) {
  check(shape.elements > 0 && shape.slices > 0, "DynamicSlice1D of nothing");
  const bool slices = direction == SliceDirection::Slice;
  const std::uint64_t all = shape.slices * shape.elements;
  fields_ = {
      {"offset", FieldDirection::Input, models::ElementType::UInt32, {{1, 1}}},
      {"base", slices ? FieldDirection::Input : FieldDirection::InOut, shape.type, {{1, all}}},
      {"sub",
       slices ? FieldDirection::Output : FieldDirection::Input,
       shape.type,
       {{1, shape.elements}}},
  };
}

std::string DynamicSlice1D::name() const {
  const char* kind = direction_ == SliceDirection::Slice ? "popops::DynamicSlice1D<"
                                                         : "popops::DynamicUpdateSlice1D<";
  return kind + std::string(nameOf(shape_.type)) + ">";
}

Cycles DynamicSlice1D::cycles(const models::Machine& machine) const {
  return models::dynamicSliceCycles(machine, {sizeOf(shape_.type), shape_.elements, 1});
}

Bytes DynamicSlice1D::stateBytes() const {
  return Bytes(kStateBytes);
}

Bytes DynamicSlice1D::codeBytes() const {
  return Bytes(kCodeBytes);
}

void DynamicSlice1D::compute(const VertexData& data) const {
  const std::size_t bytes = (sizeOf(shape_.type) * shape_.elements).value();
  const std::uint64_t slice = *data.as<std::uint32_t>(0, 0) % shape_.slices;
  std::byte* place = data.edge(1, 0) + slice * bytes;
  std::byte* sub = data.edge(2, 0);
  if (direction_ == SliceDirection::Slice) {
    std::memcpy(sub, place, bytes);
  } else {
    std::memcpy(place, sub, bytes);
  }
}

}  // namespace ipusim::workloads
