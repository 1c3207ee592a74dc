// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "ipusim/error.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/movement/data_movement.h"
#include "workloads/vertices/movement/slice_params.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

using models::SliceDirection;

namespace {

// Three pointers, the number of slices, the elements of a slice, and what a worker copies.
// Source: poplibs lib/popops/codelets/DynamicSlice1D.cpp.
constexpr Bytes kDynamicSliceStateBytes(24);
// Estimated as for other small vertices: recorded profiles have 160 to 250 B per type and tile
// (graphcore/popliner tests).
constexpr Bytes kDynamicSliceCodeBytes(240);

Cycles dynamicSliceCost(const SlicedShape& shape, const Architecture& machine) {
  return models::dynamicSliceCycles(machine, {sizeOf(shape.type), shape.elements, shape.moved});
}

void computeDynamicSlice(const SlicedShape& shape, const VertexData& data) {
  const std::size_t bytes = (sizeOf(shape.type) * shape.elements).value();
  const std::uint64_t first = *data.as<std::uint32_t>(0, 0) % shape.slices;
  for (std::uint64_t s = 0; s < shape.moved; ++s) {
    std::byte* place = data.edge(1, 0) + (first + s) % shape.slices * bytes;
    std::byte* sub = data.edge(2, 0) + s * bytes;
    if (shape.direction == SliceDirection::Slice) {
      std::memcpy(sub, place, bytes);
    } else {
      std::memcpy(place, sub, bytes);
    }
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
           {{1, shape.moved * shape.elements}}}};
}

VertexType readDynamicSlice(const ConfigReader& config, const Architecture& /*machine*/) {
  const SliceDirection direction =
      readWord(config, "direction", kDirectionWords, SliceDirection::Slice);
  const SlicedShape shape{readWord(config, "type", kElementWords), readCount(config, "elements"),
                          readCount(config, "slices"), direction, readCount(config, "moved", 1)};
  if (shape.moved > shape.slices) {
    throw config.error("moved", "at most as many slices as there are");
  }
  return dynamicSliceVertex(shape);
}

}  // namespace

VertexType dynamicSliceVertex(const SlicedShape& shape) {
  check(shape.elements > 0 && shape.slices > 0 && shape.moved > 0, "DynamicSlice1D of nothing");
  const bool slices = shape.direction == SliceDirection::Slice;
  const Bytes moved = sizeOf(shape.type) * (shape.moved * shape.elements);
  VertexType type;
  type.name = std::string(slices ? "popops::DynamicSlice1D<" : "popops::DynamicUpdateSlice1D<") +
              nameOf(shape.type) + ">";
  type.maker = kDynamicSliceEntry.name;
  type.params = {{"direction", wordOf(shape.direction, kDirectionWords)},
                 {"type", wordOf(shape.type, kElementWords)},
                 {"elements", shape.elements},
                 {"slices", shape.slices}};
  if (shape.moved > 1) type.params.push_back({"moved", shape.moved});
  type.kind = VertexKind::Supervisor;
  type.fields = fieldsOf(shape);
  type.sizes = {kDynamicSliceStateBytes, Bytes(0), kDynamicSliceCodeBytes};
  type.work = {Flops(0), sizeOf(ElementType::UInt32) + moved, moved};
  return withFunctions<SlicedShape>(std::move(type), shape,
                                    {dynamicSliceCost, computeDynamicSlice});
}

const VertexEntry kDynamicSliceEntry{
    "dynamic_slice",
    "slices from a run-time index on, DynamicSlice1D: direction, type, elements (of a slice), "
    "slices, moved",
    readDynamicSlice};

}  // namespace ipusim::workloads
