// SPDX-License-Identifier: Apache-2.0
#include "workloads/codelets/cast.h"

#include "models/ipu/cost/cast.h"
#include "sim/base/error.h"
#include "workloads/codelets/number.h"

namespace ipusim::workloads {

using models::ElementType;

namespace {

// Two pointers and how many elements each worker takes.
// Source: poplibs lib/popops/codelets/Cast.cpp.
constexpr std::uint64_t kStateBytes = 12;
// Estimated, as for other small vertices: recorded profiles have 160 to 250 B a type and tile
// (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 200;

bool isReal(ElementType type) {
  return type == ElementType::Half || type == ElementType::Float;
}

}  // namespace

Cast1D::Cast1D(ElementType from, ElementType to, std::uint64_t elements) : elements_(elements) {
  check(isReal(from) && isReal(to) && elements > 0, "Cast1D of half and float");
  fields_ = {{"in", FieldDirection::Input, from, {{1, elements}}},
             {"out", FieldDirection::Output, to, {{1, elements}}}};
}

std::string Cast1D::name() const {
  return std::string("popops::Cast1D<") + nameOf(fields_[0].type) + "," + nameOf(fields_[1].type) +
         ">";
}

Cycles Cast1D::cycles(const models::Machine& machine) const {
  return models::castCycles(machine,
                            {models::castTypes(fields_[0].type, fields_[1].type), elements_});
}

Bytes Cast1D::stateBytes() const {
  return Bytes(kStateBytes);
}

Bytes Cast1D::codeBytes() const {
  return Bytes(kCodeBytes);
}

void Cast1D::compute(const VertexData& data) const {
  withNumber(fields_[0].type, [&](auto from) {
    withNumber(fields_[1].type, [&](auto to) {
      const auto* in = data.as<decltype(from)>(0, 0);
      auto* out = data.as<decltype(to)>(1, 0);
      for (std::uint64_t i = 0; i < elements_; ++i) {
        out[i] = static_cast<decltype(to)>(static_cast<float>(in[i]));
      }
    });
  });
}

}  // namespace ipusim::workloads
