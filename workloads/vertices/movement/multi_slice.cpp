// SPDX-License-Identifier: Apache-2.0
#include <cstring>
#include <limits>

#include "ipusim/error.h"
#include "models/ipu/cost/multi_slice_code.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/movement/data_movement.h"
#include "workloads/vertices/movement/slice_params.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

namespace {

// Pointers, sizes, and the share of each worker.
// Source: poplibs lib/popops/codelets/MultiSlice.cpp.
constexpr Bytes kMultiSliceStateBytes(32);
// Estimated as for other small vertices: recorded profiles have 160 to 250 B per type and tile
// (graphcore/popliner tests).
constexpr Bytes kMultiSliceCodeBytes(240);

using models::SliceDirection;

/// A slice of one row is shared by its elements.
template <SliceDirection Direction>
Cycles multiSliceCost(const LookUpShape& shape, const Architecture& machine) {
  const auto split =
      shape.offsets == 1 ? models::SliceSplit::SingleRegion : models::SliceSplit::Offsets;
  const models::LookUps look_ups = Direction == SliceDirection::Slice
                                       ? sliceLookUps(machine, shape)
                                       : updateLookUps(machine, shape);
  return models::multiSliceCodeCycles(
      machine, {Direction, sizeOf(shape.type), shape.elements, look_ups, split});
}

template <SliceDirection Direction>
void computeMultiSlice(const LookUpShape& shape, const VertexData& data) {
  const std::size_t bytes = (sizeOf(shape.type) * shape.elements).value();
  const auto* offsets = data.as<std::uint32_t>(0, 0);
  for (std::uint64_t i = 0; i < shape.offsets; ++i) {
    const std::optional<std::uint32_t> number = rowOf(shape, offsets[i]);
    if (!number) continue;
    std::byte* row = data.edge(1, 0) + *number * bytes;
    std::byte* own = data.edge(2, 0) + i * bytes;
    if (Direction == SliceDirection::Slice) {
      std::memcpy(own, row, bytes);
    } else {
      std::memcpy(row, own, bytes);
    }
  }
}

/// What an update does with the rows that it finds.
enum class RowUpdate : std::uint8_t { Add, Set };
constexpr Words<RowUpdate, 2> kUpdateWords{{{RowUpdate::Add, "add"}, {RowUpdate::Set, "set"}}};

/// Row numbers have 32 bits.
constexpr std::uint64_t kMaxRowNumber = std::numeric_limits<std::uint32_t>::max();

VertexType readMultiSlice(const ConfigReader& config, const Architecture& /*machine*/) {
  const auto direction = readWord(config, "direction", kDirectionWords, SliceDirection::Slice);
  const bool updates = direction == SliceDirection::Update;
  const bool adds =
      updates && readWord(config, "op", kUpdateWords, RowUpdate::Add) == RowUpdate::Add;
  const LookUpShape shape{
      adds ? readWord(config, "type", kNumberWords) : readWord(config, "type", kElementWords),
      readCount(config, "rows"),
      readCount(config, "elements"),
      readCount(config, "offsets"),
      config.whole("first_row", 0, kMaxRowNumber, 0),
      config.whole("whole_rows", 0, kMaxRowNumber, 0)};
  if (!updates) return multiSliceVertex(shape);
  return adds ? multiUpdateAddVertex(shape) : multiUpdateVertex(shape);
}

/// A vertex that copies rows of a table, or rows to a table.
template <SliceDirection Direction>
VertexType rowsVertex(const LookUpShape& shape, const char* name) {
  check(shape.rows > 0 && shape.elements > 0 && shape.offsets > 0, "a look-up of nothing");
  constexpr bool kSlices = Direction == SliceDirection::Slice;
  const std::uint64_t taken = shape.offsets * shape.elements;
  const std::uint64_t moved = expectedHits(shape, shape.offsets, shape.rows) * shape.elements;
  VertexType type;
  type.name = std::string("popops::") + name + "<" + nameOf(shape.type) + ">";
  type.maker = kMultiSliceEntry.name;
  type.params = lookUpParams(Direction, shape);
  type.kind = VertexKind::Supervisor;
  type.fields = {
      {"offsets", FieldDirection::Input, ElementType::UInt32, {{1, shape.offsets}}},
      {"baseT",
       kSlices ? FieldDirection::Input : FieldDirection::InOut,
       shape.type,
       {{1, shape.rows * shape.elements}}},
      {"subT", kSlices ? FieldDirection::Output : FieldDirection::Input, shape.type, {{1, taken}}}};
  type.sizes = {kMultiSliceStateBytes, Bytes(0), kMultiSliceCodeBytes};
  type.work = {Flops(0), sizeOf(ElementType::UInt32) * shape.offsets + sizeOf(shape.type) * moved,
               sizeOf(shape.type) * moved};
  return withFunctions<LookUpShape>(std::move(type), shape,
                                    {multiSliceCost<Direction>, computeMultiSlice<Direction>});
}

}  // namespace

VertexType multiSliceVertex(const LookUpShape& shape) {
  return rowsVertex<SliceDirection::Slice>(shape, "MultiSlice");
}

VertexType multiUpdateVertex(const LookUpShape& shape) {
  VertexType type = rowsVertex<SliceDirection::Update>(shape, "MultiUpdate");
  type.params.push_back({"op", wordOf(RowUpdate::Set, kUpdateWords)});
  return type;
}

const VertexEntry kMultiSliceEntry{
    "multi_slice",
    "rows of a table by their numbers, MultiSlice, MultiUpdate and ScaledMultiUpdateOp: direction, "
    "op, type, elements (of a row), rows, offsets, whole_rows, first_row",
    readMultiSlice};

}  // namespace ipusim::workloads
