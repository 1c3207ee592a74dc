// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/map_scalars.h"

#include "base/config/words.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

namespace {

constexpr Words<ScalarMap, 2> kMapWords{
    {{ScalarMap::Add, "add"}, {ScalarMap::LessThan, "less_than"}}};

// Pointers.
constexpr Bytes kMapScalarsStateBytes(12);
// Estimated as for other small vertices: recorded profiles have 160 to 250 B per type and tile
// (graphcore/popliner tests).
constexpr Bytes kMapScalarsCodeBytes(160);
// Slots of a vertex, and of each input of an operator that has no vector form.
// Source: graphcore/poplibs lib/popops/ExpressionGenerator.cpp (MIT), cycles of MapCodelets.
constexpr std::uint64_t kStartSlots = 13;
constexpr std::uint64_t kSlotsPerInput = 1;

Cycles mapScalarsCost(const ScalarMap& /*map*/, const Architecture& /*machine*/) {
  return Cycles(kStartSlots + 2 * kSlotsPerInput);
}

void computeMapScalars(const ScalarMap& map, const VertexData& data) {
  auto* first = data.as<std::uint32_t>(0, 0);
  const auto* second = data.as<std::uint32_t>(1, 0);
  if (map == ScalarMap::Add) {
    *first += *second;
  } else {
    *data.as<std::uint32_t>(2, 0) = *first < *second ? 1 : 0;
  }
}

VertexType readMapScalars(const ConfigReader& config, const Architecture& /*machine*/) {
  return mapScalarsVertex(readWord(config, "op", kMapWords));
}

}  // namespace

VertexType mapScalarsVertex(ScalarMap map) {
  constexpr ElementType kType = ElementType::UInt32;
  const bool adds = map == ScalarMap::Add;
  VertexType type;
  type.name = std::string("popops::MapScalars<") + wordOf(map, kMapWords) + ">";
  type.maker = kMapScalarsEntry.name;
  type.params = {{"op", wordOf(map, kMapWords)}};
  type.kind = VertexKind::Worker;
  type.fields = {{"in1", adds ? FieldDirection::InOut : FieldDirection::Input, kType, {{1, 1}}},
                 {"in2", FieldDirection::Input, kType, {{1, 1}}}};
  if (!adds) type.fields.push_back({"out", FieldDirection::Output, kType, {{1, 1}}});
  type.sizes = {kMapScalarsStateBytes, Bytes(0), kMapScalarsCodeBytes};
  type.work = {Flops(0), sizeOf(kType) * 2, sizeOf(kType)};
  return withFunctions<ScalarMap>(std::move(type), map, {mapScalarsCost, computeMapScalars});
}

const VertexEntry kMapScalarsEntry{
    "map_scalars", "an expression of two unsigned integers on one worker: op", readMapScalars};

}  // namespace ipusim::workloads
