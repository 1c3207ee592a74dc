// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "models/ipu/cost/elementwise/norm.h"
#include "workloads/vertices/elementwise/elementwise.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

namespace {

// Three pointers, the number of runs, the correction of the variance and epsilon; a run has three
// pointers and a length.
// Source: poplibs lib/popnn/codelets/InverseStdDeviation.cpp.
constexpr Bytes kInverseStdDevStateBytes(24);
constexpr Bytes kInverseStdDevRunBytes(16);

Cycles inverseStdDevCost(const InverseStdDevShape& shape, const Architecture& /*machine*/) {
  return models::inverseStdDeviationCycles(shape.runs);
}

void computeInverseStdDev(const InverseStdDevShape& shape, const VertexData& data) {
  for (std::size_t run = 0; run < shape.runs.size(); ++run) {
    const auto* mean = data.as<float>(0, run);
    const auto* power = data.as<float>(1, run);
    auto* out = data.as<float>(2, run);
    for (std::uint64_t i = 0; i < shape.runs[run]; ++i) {
      const float variance = std::max(power[i] - mean[i] * mean[i], 0.0F);
      out[i] = 1 / std::sqrt(variance + shape.epsilon);
    }
  }
}

VertexType readInverseStdDev(const ConfigReader& config, const Architecture& /*machine*/) {
  constexpr double kLargestEpsilon = 1;
  constexpr double kUsualEpsilon = 1e-5;
  const auto epsilon =
      static_cast<float>(config.real("epsilon", 0, kLargestEpsilon, kUsualEpsilon));
  return inverseStdDevVertex({Runs::read(config).lengths(), epsilon});
}

}  // namespace

VertexType inverseStdDevVertex(InverseStdDevShape shape) {
  const Runs runs = Runs::list(shape.runs);
  VertexType type;
  type.name = "popnn::InverseStdDeviation<float,float,float>";
  type.maker = kInverseStdDevEntry.name;
  type.params = {{"epsilon", static_cast<double>(shape.epsilon)}};
  runs.appendTo(type.params);
  type.kind = VertexKind::Worker;
  type.fields = {{"mean", FieldDirection::Input, ElementType::Float, runs.groups()},
                 {"power", FieldDirection::Input, ElementType::Float, runs.groups()},
                 {"iStdDev", FieldDirection::Output, ElementType::Float, runs.groups()}};
  type.sizes = {kInverseStdDevStateBytes, runs.tableBytes(kInverseStdDevRunBytes),
                kElementwiseCodeBytes};
  constexpr std::uint64_t kFlopsPerElement = 5;
  type.work = workOn(type.fields, Flops(kFlopsPerElement * runs.elements()));
  return withFunctions<InverseStdDevShape>(std::move(type), std::move(shape),
                                           {inverseStdDevCost, computeInverseStdDev});
}

const VertexEntry kInverseStdDevEntry{
    "inverse_std_dev",
    "1 / sqrt(power - mean^2 + epsilon), InverseStdDeviation: epsilon, elements, regions",
    readInverseStdDev};

}  // namespace ipusim::workloads
