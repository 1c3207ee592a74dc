// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/outer_product.h"

#include "base/error.h"
#include "workloads/vertices/number.h"

namespace ipusim::workloads {

namespace {

// Pointer and length of the input, tables of weights and results, channels of a group; then a
// pointer of either for each group. Source: poplibs lib/poplin/codelets/OuterProduct.cpp.
constexpr std::uint64_t kStateBytes = 24;
constexpr std::uint64_t kGroupBytes = 8;
// Estimated, as for other small vertices: recorded profiles have 160 to 250 B a type and tile
// (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 240;

}  // namespace

OuterProduct::OuterProduct(const models::OuterProductShape& shape) : shape_(shape) {
  check(shape.width > 0 && shape.chans > 0 && shape.chans % shape.chans_per_group == 0,
        "OuterProduct of whole groups");
  const std::uint64_t chans = shape.chans_per_group;
  fields_ = {{"in", FieldDirection::Input, shape.type, {{1, shape.width}}},
             {"weights", FieldDirection::Input, shape.type, {{groups(), chans}}},
             {"out", FieldDirection::Output, shape.type, {{groups(), shape.width * chans}}}};
}

std::string OuterProduct::name() const {
  return std::string("poplin::OuterProduct<") + nameOf(shape_.type) + ">";
}

Cycles OuterProduct::cycles(const models::Machine& machine) const {
  return models::outerProductCycles(machine, shape_);
}

Bytes OuterProduct::stateBytes() const {
  return Bytes(kStateBytes);
}

Bytes OuterProduct::fieldDataBytes() const {
  return Bytes(groups() * kGroupBytes);
}

Bytes OuterProduct::codeBytes() const {
  return Bytes(kCodeBytes);
}

Flops OuterProduct::flops() const {
  return Flops(shape_.width * shape_.chans);
}

void OuterProduct::compute(const VertexData& data) const {
  withNumber(shape_.type, [&](auto number) {
    using Number = decltype(number);
    const auto* in = data.as<Number>(0, 0);
    const std::uint64_t chans = shape_.chans_per_group;
    for (std::uint64_t g = 0; g < groups(); ++g) {
      const auto* weights = data.as<Number>(1, g);
      auto* out = data.as<Number>(2, g);
      for (std::uint64_t w = 0; w < shape_.width; ++w) {
        for (std::uint64_t c = 0; c < chans; ++c) {
          out[w * chans + c] =
              static_cast<Number>(static_cast<float>(in[w]) * static_cast<float>(weights[c]));
        }
      }
    }
  });
}

}  // namespace ipusim::workloads
