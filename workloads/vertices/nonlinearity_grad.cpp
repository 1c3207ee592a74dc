// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/nonlinearity_grad.h"

#include <utility>

#include "workloads/vertices/number.h"

namespace ipusim::workloads {

namespace {

// Three pointers and the length, or how many runs, and of each run the same.
// Source: poplibs lib/popnn/codelets/NonLinearityGrad1D.cpp, NonLinearityGrad2D.cpp.
constexpr std::uint64_t kStateBytes = 16;
constexpr std::uint64_t kRunBytes = 16;
// Estimated, as for other elementwise vertices: recorded profiles have 160 to 250 B a type and tile
// (graphcore/popliner tests).
constexpr std::uint64_t kCodeBytes = 200;

}  // namespace

ReluGrad::ReluGrad(models::ElementType type, Runs runs) : type_(type), runs_(std::move(runs)) {
  const EdgeGroups groups = runs_.groups();
  fields_ = {{"out", FieldDirection::Input, type, groups},
             {"outGrad", FieldDirection::Input, type, groups},
             {"inGrad", FieldDirection::Output, type, groups}};
}

std::string ReluGrad::name() const {
  return "popnn::NonLinearityGrad" + runs_.suffix() + "<" + nameOf(type_) + ",RELU>";
}

Cycles ReluGrad::cycles(const models::Machine& machine) const {
  const models::NonLinearityKind relu{models::NonLinearity::Relu, type_};
  if (runs_.isOne()) return models::nonLinearityGradCycles(machine, {relu, runs_.elements()});
  return models::nonLinearityGrad2dCycles(machine, {relu, runs_.lengths()});
}

Bytes ReluGrad::stateBytes() const {
  return Bytes(kStateBytes);
}

Bytes ReluGrad::fieldDataBytes() const {
  return runs_.tableBytes(kRunBytes);
}

Bytes ReluGrad::codeBytes() const {
  return Bytes(kCodeBytes);
}

void ReluGrad::compute(const VertexData& data) const {
  withNumber(type_, [&](auto number) {
    using Number = decltype(number);
    for (std::size_t run = 0; run < runs_.lengths().size(); ++run) {
      const auto* out = data.as<Number>(0, run);
      const auto* gradient = data.as<Number>(1, run);
      auto* result = data.as<Number>(2, run);
      for (std::uint64_t i = 0; i < runs_.lengths()[run]; ++i) {
        result[i] = static_cast<float>(out[i]) > 0 ? gradient[i] : Number{};
      }
    }
  });
}

}  // namespace ipusim::workloads
