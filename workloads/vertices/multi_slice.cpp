// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/multi_slice.h"

#include <cstring>

#include "ipusim/error.h"
#include "workloads/vertices/data_movement.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/params.h"
#include "workloads/vertices/slice_params.h"

namespace ipusim::workloads {

namespace {

// Pointers, sizes, and the share of each worker.
// Source: poplibs lib/popops/codelets/MultiSlice.cpp.
constexpr Bytes kStateBytes(32);
// Estimated as for other small vertices: recorded profiles have 160 to 250 B per type and tile
// (graphcore/popliner tests).
constexpr Bytes kCodeBytes(240);

/// The estimate assumes that every offset is a row of the table.
Cycles cost(const LookUpShape& shape, const Architecture& machine) {
  const auto split =
      shape.offsets == 1 ? models::SliceSplit::SingleRegion : models::SliceSplit::Offsets;
  return models::multiSliceCycles(machine, {models::SliceDirection::Slice,
                                            sizeOf(shape.type),
                                            shape.elements,
                                            {shape.offsets, shape.offsets},
                                            split});
}

void compute(const LookUpShape& shape, const VertexData& data) {
  const std::size_t bytes = (sizeOf(shape.type) * shape.elements).value();
  const auto* offsets = data.as<std::uint32_t>(0, 0);
  for (std::uint64_t i = 0; i < shape.offsets; ++i) {
    if (offsets[i] >= shape.rows) continue;
    std::memcpy(data.edge(2, 0) + i * bytes, data.edge(1, 0) + offsets[i] * bytes, bytes);
  }
}

/// Direction "update" gives a vertex of multiUpdateAddVertex.
VertexType read(const ConfigReader& config, const Architecture& /*machine*/) {
  const LookUpShape shape{readWord(config, "type", kNumberWords), readCount(config, "rows"),
                          readCount(config, "elements"), readCount(config, "offsets")};
  const auto direction =
      readWord(config, "direction", kDirectionWords, models::SliceDirection::Slice);
  return direction == models::SliceDirection::Slice ? multiSliceVertex(shape)
                                                    : multiUpdateAddVertex(shape);
}

}  // namespace

VertexType multiSliceVertex(const LookUpShape& shape) {
  check(shape.rows > 0 && shape.elements > 0 && shape.offsets > 0, "a look-up of nothing");
  const std::uint64_t taken = shape.offsets * shape.elements;
  VertexType type;
  type.name = std::string("popops::MultiSlice<") + nameOf(shape.type) + ">";
  type.maker = kMultiSliceEntry.name;
  type.params = lookUpParams(models::SliceDirection::Slice, shape);
  type.kind = VertexKind::Supervisor;
  type.fields = {{"offsets", FieldDirection::Input, ElementType::UInt32, {{1, shape.offsets}}},
                 {"baseT", FieldDirection::Input, shape.type, {{1, shape.rows * shape.elements}}},
                 {"subT", FieldDirection::Output, shape.type, {{1, taken}}}};
  type.sizes = {kStateBytes, Bytes(0), kCodeBytes};
  type.work = {Flops(0), sizeOf(ElementType::UInt32) * shape.offsets + sizeOf(shape.type) * taken,
               sizeOf(shape.type) * taken};
  return withFunctions<LookUpShape>(std::move(type), shape, {cost, compute});
}

const VertexEntry kMultiSliceEntry{
    "multi_slice",
    "rows of a table by their numbers, MultiSlice and ScaledMultiUpdateOp: direction, type, "
    "elements (of a row), rows, offsets",
    read};

}  // namespace ipusim::workloads
