// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "ipusim/error.h"
#include "models/ipu/cost/elementwise/nonlinearity.h"
#include "workloads/vertices/elementwise/elementwise.h"
#include "workloads/vertices/elementwise/map_numbers.h"
#include "workloads/vertices/elementwise/nonlinear_functions.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

namespace {

using models::NonLinearity;

// Three pointers and the length, or for a list the number of runs; a run of a list has as much.
// Source: poplibs lib/popnn/codelets/NonLinearityGrad1D.cpp, NonLinearityGrad2D.cpp.
constexpr Bytes kNonlinearityGradStateBytes(16);
constexpr Bytes kNonlinearityGradRunBytes(16);

// The vertex of relu has an entry of its own.
constexpr Words<NonLinearity, 5> kNonlinearityGradFunctionWords{
    {{NonLinearity::Sigmoid, "sigmoid"},
     {NonLinearity::Tanh, "tanh"},
     {NonLinearity::Gelu, "gelu"},
     {NonLinearity::GeluErf, "gelu_erf"},
     {NonLinearity::Swish, "swish"}}};

float reluGradient(float y, float gradient) {
  return y > 0 ? gradient : 0;
}

float geluGradient(float x, float gradient) {
  const float t = std::tanh(geluArgument(x));
  const float slope = kSqrtTwoOverPi * (1 + 3 * kGeluCube * x * x);
  return gradient * (0.5F * (1 + t) + 0.5F * x * (1 - t * t) * slope);
}

float geluErfGradient(float x, float gradient) {
  const float density = kInverseSqrtTwoPi * std::exp(-0.5F * x * x);
  return gradient * (normalBelow(x) + x * density);
}

float swishGradient(float x, float gradient) {
  const float s = logistic(x);
  return gradient * (s + x * s * (1 - s));
}

/// Calls `use` with the product of a gradient and the slope of `function`.
template <typename Use>
void withGradient(NonLinearity function, const Use& use) {
  switch (function) {
    case NonLinearity::Relu:
      return use(reluGradient);
    case NonLinearity::Sigmoid:
      return use([](float y, float gradient) { return gradient * y * (1 - y); });
    case NonLinearity::Tanh:
      return use([](float y, float gradient) { return gradient * (1 - y * y); });
    case NonLinearity::Gelu:
      return use(geluGradient);
    case NonLinearity::GeluErf:
      return use(geluErfGradient);
    case NonLinearity::Swish:
      return use(swishGradient);
  }
}

Cycles nonlinearityGradCost(const NonlinearityShape& shape, const Architecture& machine) {
  const models::NonLinearityKind kind{shape.function, shape.type};
  if (shape.runs.isOne()) {
    return models::nonLinearityGradCycles(machine, {kind, shape.runs.elements()});
  }
  return models::nonLinearityGrad2dCycles(machine, {kind, shape.runs.lengths()});
}

void computeNonlinearityGrad(const NonlinearityShape& shape, const VertexData& data) {
  withNumber(shape.type, [&](auto number) {
    using Number = decltype(number);
    withGradient(shape.function, [&](auto gradient) {
      for (std::size_t run = 0; run < shape.runs.lengths().size(); ++run) {
        mapNumbers(shape.runs.lengths()[run], gradient, data.as<Number>(0, run),
                   data.as<Number>(1, run), data.as<Number>(2, run));
      }
    });
  });
}

VertexType readNonlinearityGrad(const ConfigReader& config, const Architecture& /*machine*/) {
  return nonlinearityGradVertex({readWord(config, "function", kNonlinearityGradFunctionWords),
                                 readWord(config, "type", kNumberWords), Runs::read(config)});
}

VertexType readRelu(const ConfigReader& config, const Architecture& /*machine*/) {
  return nonlinearityGradVertex(
      {NonLinearity::Relu, readWord(config, "type", kNumberWords), Runs::read(config)});
}

}  // namespace

VertexType nonlinearityGradVertex(NonlinearityShape shape) {
  const bool is_relu = shape.function == NonLinearity::Relu;
  const EdgeGroups groups = shape.runs.groups();
  const char* word = is_relu ? "relu" : wordOf(shape.function, kNonlinearityGradFunctionWords);
  VertexType type;
  type.name = "popnn::NonLinearityGrad" + shape.runs.suffix() + "<" + nameOf(shape.type) + "," +
              upperCase(word) + ">";
  type.maker = is_relu ? kReluGradEntry.name : kNonlinearityGradEntry.name;
  if (!is_relu) type.params = {{"function", word}};
  type.params.push_back({"type", wordOf(shape.type, kNumberWords)});
  shape.runs.appendTo(type.params);
  type.kind = shape.runs.kind();
  type.fields = {{"out", FieldDirection::Input, shape.type, groups},
                 {"outGrad", FieldDirection::Input, shape.type, groups},
                 {"inGrad", FieldDirection::Output, shape.type, groups}};
  type.sizes = {kNonlinearityGradStateBytes, shape.runs.tableBytes(kNonlinearityGradRunBytes),
                kElementwiseCodeBytes};
  type.work = workOn(type.fields, Flops(shape.runs.elements()));
  return withFunctions<NonlinearityShape>(std::move(type), std::move(shape),
                                          {nonlinearityGradCost, computeNonlinearityGrad});
}

const VertexEntry kReluGradEntry{
    "relu_grad", "gradient of relu, NonLinearityGrad: type, elements, regions", readRelu};
const VertexEntry kNonlinearityGradEntry{
    "nonlinearity_grad",
    "gradient of another function, NonLinearityGrad: function, type, elements, regions",
    readNonlinearityGrad};

}  // namespace ipusim::workloads
