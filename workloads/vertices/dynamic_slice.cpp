// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "ipusim/error.h"
#include "workloads/vertices/data_movement.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/params.h"
#include "workloads/vertices/slice_params.h"

namespace ipusim::workloads {

using models::SliceDirection;

namespace {

// Three pointers, the number of slices, the elements of a slice, and what a worker copies.
// Source: poplibs lib/popops/codelets/DynamicSlice1D.cpp.
constexpr Bytes kStateBytes(24);
// Estimated as for other small vertices: recorded profiles have 160 to 250 B per type and tile
// (graphcore/popliner tests).
constexpr Bytes kCodeBytes(240);

Cycles cost(const SlicedShape& shape, const Architecture& machine) {
  return models::dynamicSliceCycles(machine, {sizeOf(shape.type), shape.elements, 1});
}

void compute(const SlicedShape& shape, const VertexData& data) {
  const std::size_t bytes = (sizeOf(shape.type) * shape.elements).value();
  const std::uint64_t slice = *data.as<std::uint32_t>(0, 0) % shape.slices;
  std::byte* place = data.edge(1, 0) + slice * bytes;
  std::byte* sub = data.edge(2, 0);
  if (shape.direction == SliceDirection::Slice) {
    std::memcpy(sub, place, bytes);
  } else {
    std::memcpy(place, sub, bytes);
  }
}

std::vector<Field> fieldsOf(const SlicedShape& shape) {
  const bool slices = shape.direction == SliceDirection::Slice;
  return {{"offset", FieldDirection::Input, ElementType::UInt32, {{1, 1}}},
          {"base",
           slices ? FieldDirection::Input : FieldDirection::InOut,
           shape.type,
           {{1, shape.slices * shape.elements}}},
          {"sub",
           slices ? FieldDirection::Output : FieldDirection::Input,
           shape.type,
           {{1, shape.elements}}}};
}

VertexType read(const ConfigReader& config, const Architecture& /*machine*/) {
  const SliceDirection direction =
      readWord(config, "direction", kDirectionWords, SliceDirection::Slice);
  return dynamicSliceVertex({readWord(config, "type", kElementWords), readCount(config, "elements"),
                             readCount(config, "slices"), direction});
}

}  // namespace

VertexType dynamicSliceVertex(const SlicedShape& shape) {
  check(shape.elements > 0 && shape.slices > 0, "DynamicSlice1D of nothing");
  const bool slices = shape.direction == SliceDirection::Slice;
  const Bytes slice = sizeOf(shape.type) * shape.elements;
  VertexType type;
  type.name = std::string(slices ? "popops::DynamicSlice1D<" : "popops::DynamicUpdateSlice1D<") +
              nameOf(shape.type) + ">";
  type.maker = kDynamicSliceEntry.name;
  type.params = {{"direction", wordOf(shape.direction, kDirectionWords)},
                 {"type", wordOf(shape.type, kElementWords)},
                 {"elements", shape.elements},
                 {"slices", shape.slices}};
  type.kind = VertexKind::Supervisor;
  type.fields = fieldsOf(shape);
  type.sizes = {kStateBytes, Bytes(0), kCodeBytes};
  type.work = {Flops(0), sizeOf(ElementType::UInt32) + slice, slice};
  return withFunctions<SlicedShape>(std::move(type), shape, {cost, compute});
}

const VertexEntry kDynamicSliceEntry{
    "dynamic_slice",
    "slice at a run-time index, DynamicSlice1D: direction, type, elements (of a slice), "
    "slices",
    read};

}  // namespace ipusim::workloads
