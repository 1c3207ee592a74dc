// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/nonlinearity.h"
#include "workloads/vertices/elementwise.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

namespace {

// Three pointers and the length, or for a list the number of runs; a run of a list has as much.
// Source: poplibs lib/popnn/codelets/NonLinearityGrad1D.cpp, NonLinearityGrad2D.cpp.
constexpr Bytes kStateBytes(16);
constexpr Bytes kRunBytes(16);

Cycles cost(const ReluGradShape& shape, const Architecture& machine) {
  const models::NonLinearityKind relu{models::NonLinearity::Relu, shape.type};
  if (shape.runs.isOne()) {
    return models::nonLinearityGradCycles(machine, {relu, shape.runs.elements()});
  }
  return models::nonLinearityGrad2dCycles(machine, {relu, shape.runs.lengths()});
}

void compute(const ReluGradShape& shape, const VertexData& data) {
  withNumber(shape.type, [&](auto number) {
    using Number = decltype(number);
    for (std::size_t run = 0; run < shape.runs.lengths().size(); ++run) {
      const auto* out = data.as<Number>(0, run);
      const auto* gradient = data.as<Number>(1, run);
      auto* result = data.as<Number>(2, run);
      for (std::uint64_t i = 0; i < shape.runs.lengths()[run]; ++i) {
        result[i] = static_cast<float>(out[i]) > 0 ? gradient[i] : Number{};
      }
    }
  });
}

VertexType read(const ConfigReader& config, const Architecture& /*machine*/) {
  return reluGradVertex({readWord(config, "type", kNumberWords), Runs::read(config)});
}

}  // namespace

VertexType reluGradVertex(ReluGradShape shape) {
  const EdgeGroups groups = shape.runs.groups();
  VertexType type;
  type.name = "popnn::NonLinearityGrad" + shape.runs.suffix() + "<" + nameOf(shape.type) + ",RELU>";
  type.maker = kReluGradEntry.name;
  type.params = {{"type", wordOf(shape.type, kNumberWords)}};
  shape.runs.appendTo(type.params);
  type.kind = shape.runs.kind();
  type.fields = {{"out", FieldDirection::Input, shape.type, groups},
                 {"outGrad", FieldDirection::Input, shape.type, groups},
                 {"inGrad", FieldDirection::Output, shape.type, groups}};
  type.sizes = {kStateBytes, shape.runs.tableBytes(kRunBytes), kElementwiseCodeBytes};
  type.work = workOn(type.fields, Flops(shape.runs.elements()));
  return withFunctions<ReluGradShape>(std::move(type), std::move(shape), {cost, compute});
}

const VertexEntry kReluGradEntry{
    "relu_grad", "gradient of relu, NonLinearityGrad: type, elements, regions", read};

}  // namespace ipusim::workloads
