// SPDX-License-Identifier: Apache-2.0
#include "ipusim/error.h"
#include "workloads/vertices/elementwise/map_numbers.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"
#include "workloads/vertices/products/products.h"

namespace ipusim::workloads {

using models::OuterProductShape;

namespace {

// Pointer and length of the input, tables of weights and results, and channels of a group; besides,
// one pointer to weights and one to results per group.
// Source: poplibs lib/poplin/codelets/OuterProduct.cpp.
constexpr Bytes kOuterProductStateBytes(24);
constexpr Bytes kGroupBytes(8);
// Estimated as for other small vertices: recorded profiles have 160 to 250 B per type and tile
// (graphcore/popliner tests).
constexpr Bytes kOuterProductCodeBytes(240);

std::uint64_t groupsOf(const OuterProductShape& shape) {
  return shape.chans / shape.chans_per_group;
}

Cycles outerProductCost(const OuterProductShape& shape, const Architecture& machine) {
  return models::outerProductCycles(machine, shape);
}

void computeOuterProduct(const OuterProductShape& shape, const VertexData& data) {
  withNumber(shape.type, [&](auto number) {
    using Number = decltype(number);
    const auto* in = data.as<Number>(0, 0);
    const std::uint64_t chans = shape.chans_per_group;
    for (std::uint64_t g = 0; g < groupsOf(shape); ++g) {
      const auto* weights = data.as<Number>(1, g);
      auto* out = data.as<Number>(2, g);
      for (std::uint64_t w = 0; w < shape.width; ++w) {
        const auto position = static_cast<float>(in[w]);
        mapNumbers(
            chans, [position](float weight) { return position * weight; }, weights,
            out + w * chans);
      }
    }
  });
}

VertexType readOuterProduct(const ConfigReader& config, const Architecture& /*machine*/) {
  OuterProductShape shape{};
  shape.type = readWord(config, "type", kNumberWords);
  shape.width = readCount(config, "width");
  shape.chans_per_group = static_cast<std::uint32_t>(readCount(config, "chans"));
  shape.chans = shape.chans_per_group * readCount(config, "groups", 1);
  return outerProductVertex(shape);
}

}  // namespace

VertexType outerProductVertex(const OuterProductShape& shape) {
  check(shape.width > 0 && shape.chans > 0 && shape.chans % shape.chans_per_group == 0,
        "OuterProduct of whole groups");
  const std::uint64_t chans = shape.chans_per_group;
  const std::uint64_t groups = groupsOf(shape);
  VertexType type;
  type.name = std::string("poplin::OuterProduct<") + nameOf(shape.type) + ">";
  type.maker = kOuterProductEntry.name;
  type.params = {{"type", wordOf(shape.type, kNumberWords)},
                 {"width", shape.width},
                 {"chans", chans},
                 {"groups", groups}};
  type.fields = {{"in", FieldDirection::Input, shape.type, {{1, shape.width}}},
                 {"weights", FieldDirection::Input, shape.type, {{groups, chans}}},
                 {"out", FieldDirection::Output, shape.type, {{groups, shape.width * chans}}}};
  type.sizes = {kOuterProductStateBytes, kGroupBytes * groups, kOuterProductCodeBytes};
  type.work = workOn(type.fields, Flops(shape.width * shape.chans));
  return withFunctions<OuterProductShape>(std::move(type), shape,
                                          {outerProductCost, computeOuterProduct});
}

const VertexEntry kOuterProductEntry{
    "outer_product", "positions times weights, OuterProduct: type, width, chans, groups",
    readOuterProduct};

}  // namespace ipusim::workloads
