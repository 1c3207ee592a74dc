// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/movement/one_hot.h"

#include "ipusim/error.h"
#include "models/ipu/cost/movement/multi_slice.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/movement/data_movement.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

namespace {

// Two pointers and two sizes.
// Source: poplibs lib/popops/codelets/EncodeOneHot.cpp.
constexpr Bytes kOneHotStateBytes(16);
// Estimated as for other small vertices: recorded profiles have 160 to 250 B per type and tile
// (graphcore/popliner tests).
constexpr Bytes kOneHotCodeBytes(160);

Cycles oneHotCost(const OneHotShape& shape, const Architecture& machine) {
  if (shape.type == ElementType::Half) {
    return models::encodeOneHotCycles(ElementType::UInt32, shape.type, shape.rows);
  }
  return models::multiSliceCycles(
      machine, {models::SliceDirection::Update, sizeOf(shape.type), 1, {shape.rows, shape.rows}});
}

void computeOneHot(const OneHotShape& shape, const VertexData& data) {
  withNumber(shape.type, [&](auto number) {
    using Number = decltype(number);
    const auto* indices = data.as<std::uint32_t>(0, 0);
    auto* row = data.as<Number>(1, 0);
    for (std::uint64_t r = 0; r < shape.rows; ++r, row += shape.classes) {
      if (indices[r] < shape.classes) row[indices[r]] = static_cast<Number>(1.0F);
    }
  });
}

VertexType readOneHot(const ConfigReader& config, const Architecture& /*machine*/) {
  return oneHotVertex({readWord(config, "type", kNumberWords), readCount(config, "rows"),
                       readCount(config, "classes")});
}

}  // namespace

VertexType oneHotVertex(const OneHotShape& shape) {
  check(shape.rows > 0 && shape.classes > 0, "one-hot rows of nothing");
  VertexType type;
  type.name = std::string("popops::EncodeOneHot<unsigned int,") + nameOf(shape.type) + ">";
  type.maker = kOneHotEntry.name;
  type.params = {
      {"type", wordOf(shape.type, kNumberWords)}, {"rows", shape.rows}, {"classes", shape.classes}};
  type.kind = VertexKind::Supervisor;
  type.fields = {{"indices", FieldDirection::Input, ElementType::UInt32, {{1, shape.rows}}},
                 {"out", FieldDirection::InOut, shape.type, {{1, shape.rows * shape.classes}}}};
  type.sizes = {kOneHotStateBytes, Bytes(0), kOneHotCodeBytes};
  // One element per row is stored.
  type.work = {Flops(0), sizeOf(ElementType::UInt32) * shape.rows, sizeOf(shape.type) * shape.rows};
  return withFunctions<OneHotShape>(std::move(type), shape, {oneHotCost, computeOneHot});
}

const VertexEntry kOneHotEntry{
    "one_hot", "rows with a single one, EncodeOneHot: type, rows, classes", readOneHot};

}  // namespace ipusim::workloads
