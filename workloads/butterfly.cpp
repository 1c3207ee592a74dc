// SPDX-License-Identifier: Apache-2.0
#include "workloads/butterfly.h"

#include "workloads/ops/bias.h"
#include "workloads/ops/butterfly.h"
#include "workloads/shared/gpu_layers.h"
#include "workloads/shared/layer.h"
#include "workloads/shared/matmul_options.h"

namespace ipusim::workloads {

using models::ElementType;
using models::Machine;
using Values = std::vector<double>;

namespace {

/// Beyond it the twiddles of a dense layer's worth of features leave the chip many times over.
constexpr std::uint64_t kMaxFeatures = 1U << 16U;
constexpr std::uint64_t kMaxBatch = 1U << 20U;

// Every stage of halves rounds its products and its sums.
constexpr double kFloatTolerance = 1e-5;
constexpr double kHalfTolerance = 3e-2;

ButterflyShape readShape(const ConfigReader& config) {
  ButterflyShape shape{};
  shape.features = config.whole("features", 2, kMaxFeatures);
  if ((shape.features & (shape.features - 1)) != 0)
    throw config.error("features", "a power of two");
  shape.twiddles = config.choice("twiddles", {"tied", "untied"}, "tied") == "tied"
                       ? Twiddles::Tied
                       : Twiddles::Untied;
  shape.order = config.choice("order", {"decreasing", "increasing"}, "increasing") == "increasing"
                    ? StageOrder::Increasing
                    : StageOrder::Decreasing;
  return shape;
}

/// One stage on the row that begins at `begin`, in place: the stage's matrix times it.
void applyStage(const ButterflyShape& shape, std::uint64_t stride, const Values& twiddles,
                std::uint64_t begin, Values& rows) {
  const std::uint64_t first = firstTwiddle(shape, stride);
  for (std::uint64_t q = 0; q < shape.features / (2 * stride); ++q) {
    const std::uint64_t set = shape.twiddles == Twiddles::Tied ? 0 : q;
    for (std::uint64_t j = 0; j < stride; ++j) {
      const double* t = twiddles.data() + first + (set * stride + j) * 4;
      double& low = rows[begin + q * 2 * stride + j];
      double& high = rows[begin + q * 2 * stride + stride + j];
      const double sum = t[0] * low + t[1] * high;
      high = t[2] * low + t[3] * high;
      low = sum;
    }
  }
}

/// Inputs: rows, twiddles, and the bias where there is one.
Values butterflyReference(const ButterflyShape& shape, const std::vector<Values>& inputs) {
  Values rows = inputs[0];
  for (std::uint64_t begin = 0; begin < rows.size(); begin += shape.features) {
    for (const std::uint64_t stride : stridesOf(shape)) {
      applyStage(shape, stride, inputs[1], begin, rows);
    }
  }
  if (inputs.size() > 2) addBiasReference(inputs[2], rows);
  return rows;
}

}  // namespace

BuiltWorkload buildButterfly(const ConfigReader& config, const Machine& machine) {
  const ButterflyShape shape = readShape(config);
  const std::uint64_t batch = config.whole("batch", 1, kMaxBatch);
  const bool has_bias = readBias(config);
  const ElementType type = config.choice("type", {"half", "float"}, "float") == "half"
                               ? ElementType::Half
                               : ElementType::Float;
  BuiltWorkload built;
  Graph& graph = built.graph;
  const auto add = [&](const Shape& sizes, const char* name) {
    Tensor tensor = graph.addVariable(type, sizes, name, Lifetime::Always);
    graph.mapLinearly(tensor, machine, kLinearGrain);
    return tensor;
  };
  const Tensor x = add({batch, shape.features}, "x");
  const Tensor twiddles = add(twiddleShape(shape), "twiddles");
  ModelSummary model{{{"twiddles", twiddles.shape()}}, shape.features * shape.features};
  std::vector<HostTensor> inputs{{"x", x}, {"twiddles", twiddles}};

  const Tensor y = addButterfly(graph, machine, shape, {x, twiddles}, graph.program());
  // A stage has two products and a sum for each element.
  std::uint64_t flops_per_element = 3 * stridesOf(shape).size();
  if (has_bias) {
    const Tensor bias = addBiasParameters(graph, machine, type, shape.features);
    addBias(graph, y, bias, "butterfly/Add", graph.program());
    model.parameters.emplace_back("bias", bias.shape());
    model.dense_parameters += shape.features;
    inputs.push_back({"bias", bias});
    ++flops_per_element;
  }
  built.model = std::move(model);
  built.flops = Flops(flops_per_element * batch * shape.features);
  // A multiply-add of a vector a cycle on every tile.
  built.peak_flops_per_cycle = 2.0 * machine.vectorWidth(type) * machine.tiles;
  built.gpu = gpuButterfly(type, {shape.features, batch, has_bias});
  const double tolerance = type == ElementType::Half ? kHalfTolerance : kFloatTolerance;
  built.reference = [=] {
    return Reference{inputs,
                     {{"y", y}},
                     [shape](const std::vector<Values>& values) {
                       return std::vector<Values>{butterflyReference(shape, values)};
                     },
                     tolerance};
  };
  return built;
}

}  // namespace ipusim::workloads
