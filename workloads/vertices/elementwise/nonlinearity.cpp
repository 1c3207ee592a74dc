// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/elementwise/nonlinearity.h"

#include <cmath>

#include "ipusim/error.h"
#include "workloads/vertices/elementwise/elementwise.h"
#include "workloads/vertices/elementwise/map_numbers.h"
#include "workloads/vertices/elementwise/nonlinear_functions.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

namespace {

using models::NonLinearity;

// One pointer and the length, or for a list the number of runs; a run of a list has as much.
// Source: poplibs lib/popnn/codelets/NonLinearity1D.cpp, NonLinearity2D.cpp.
constexpr Bytes kNonlinearityStateBytes(8);
constexpr Bytes kNonlinearityRunBytes(8);

constexpr Words<NonLinearity, 2> kNonlinearityFunctionWords{
    {{NonLinearity::Gelu, "gelu"}, {NonLinearity::Swish, "swish"}}};

Cycles nonlinearityCost(const NonlinearityShape& shape, const Architecture& machine) {
  const models::NonLinearityKind kind{shape.function, shape.type, models::OpPlacement::InPlace};
  if (shape.runs.isOne()) {
    return models::nonLinearityCycles(machine, {kind, shape.runs.elements()});
  }
  return models::nonLinearity2dCycles(machine, {kind, shape.runs.lengths()});
}

template <typename Function>
void computeWith(const NonlinearityShape& shape, const VertexData& data, const Function& function) {
  withNumber(shape.type, [&](auto number) {
    for (std::size_t run = 0; run < shape.runs.lengths().size(); ++run) {
      auto* values = data.as<decltype(number)>(0, run);
      mapNumbers(shape.runs.lengths()[run], function, values, values);
    }
  });
}

void computeNonlinearity(const NonlinearityShape& shape, const VertexData& data) {
  if (shape.function == NonLinearity::Swish) {
    return computeWith(shape, data, [](float x) { return x * logistic(x); });
  }
  computeWith(shape, data, [](float x) { return 0.5F * x * (1 + std::tanh(geluArgument(x))); });
}

VertexType readNonlinearity(const ConfigReader& config, const Architecture& /*machine*/) {
  return nonlinearityVertex({readWord(config, "function", kNonlinearityFunctionWords),
                             readWord(config, "type", kNumberWords), Runs::read(config)});
}

}  // namespace

VertexType nonlinearityVertex(NonlinearityShape shape) {
  VertexType type;
  type.name = "popnn::NonLinearity" + shape.runs.suffix() + "InPlace<" + nameOf(shape.type) + "," +
              upperCase(wordOf(shape.function, kNonlinearityFunctionWords)) + ">";
  type.maker = kNonlinearityEntry.name;
  type.params = {{"function", wordOf(shape.function, kNonlinearityFunctionWords)},
                 {"type", wordOf(shape.type, kNumberWords)}};
  shape.runs.appendTo(type.params);
  type.kind = shape.runs.kind();
  type.fields = {{"data", FieldDirection::InOut, shape.type, shape.runs.groups()}};
  type.sizes = {kNonlinearityStateBytes, shape.runs.tableBytes(kNonlinearityRunBytes),
                kElementwiseCodeBytes};
  type.work = workOn(type.fields, Flops(shape.runs.elements()));
  return withFunctions<NonlinearityShape>(std::move(type), std::move(shape),
                                          {nonlinearityCost, computeNonlinearity});
}

const VertexEntry kNonlinearityEntry{
    "nonlinearity", "gelu or swish in place, NonLinearity: function, type, elements, regions",
    readNonlinearity};

}  // namespace ipusim::workloads
