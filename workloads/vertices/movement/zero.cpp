// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <type_traits>

#include "models/ipu/cost/movement/fill.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/movement/data_movement.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

namespace {

// Pointer, length, value.
// Source: poplibs lib/popops/codelets/Fill.cpp.
constexpr Bytes kZeroStateBytes(12);
// A pointer and a length per region of the 2D form.
// Source: as above.
constexpr Bytes kZeroRegionBytes(8);
constexpr double kLargest = std::numeric_limits<float>::max();
// Estimated as for other small vertices: recorded profiles have 160 to 250 B per type and tile
// (graphcore/popliner tests).
constexpr Bytes kZeroCodeBytes(160);

Cycles zeroCost(const ZeroVertexShape& shape, const Architecture& machine) {
  const Bytes element = sizeOf(shape.type);
  if (shape.regions == 1) return models::fillCycles(machine, {element, shape.elements});
  return models::fill2dCycles(machine,
                              {element, std::vector<std::uint64_t>(shape.regions, shape.elements)});
}

void computeZero(const ZeroVertexShape& shape, const VertexData& data) {
  withElement(shape.type, [&](auto element) {
    using Element = decltype(element);
    Element value{};
    if constexpr (std::is_integral_v<Element>) {
      value = static_cast<Element>(static_cast<std::int64_t>(shape.value));
    } else {
      value = static_cast<Element>(static_cast<float>(shape.value));
    }
    for (std::uint64_t r = 0; r < shape.regions; ++r) {
      std::fill_n(data.as<Element>(0, r), shape.elements, value);
    }
  });
}

VertexType readZero(const ConfigReader& config, const Architecture& /*machine*/) {
  return zeroVertex({readWord(config, "type", kElementWords), readCount(config, "regions", 1),
                     readCount(config, "elements"), config.real("value", -kLargest, kLargest, 0)});
}

}  // namespace

VertexType zeroVertex(const ZeroVertexShape& shape) {
  const bool one = shape.regions == 1;
  VertexType type;
  type.name = std::string(one ? "popops::Fill<" : "popops::Fill2d<") + nameOf(shape.type) + ">";
  type.maker = kZeroEntry.name;
  type.params = {{"type", wordOf(shape.type, kElementWords)},
                 {"regions", shape.regions},
                 {"elements", shape.elements}};
  if (shape.value != 0) type.params.push_back({"value", shape.value});
  type.kind = VertexKind::Worker;
  type.fields = {{"out", FieldDirection::Output, shape.type, {{shape.regions, shape.elements}}}};
  type.sizes = {kZeroStateBytes, one ? Bytes(0) : kZeroRegionBytes * shape.regions, kZeroCodeBytes};
  type.work = workOn(type.fields, Flops(0));
  return withFunctions<ZeroVertexShape>(std::move(type), shape, {zeroCost, computeZero});
}

const VertexEntry kZeroEntry{
    "zero", "fill with a value, Fill and Fill2d: type, elements (of a region), regions, value",
    readZero};

}  // namespace ipusim::workloads
