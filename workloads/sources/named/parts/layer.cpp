// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/parts/layer.h"

#include <algorithm>

#include "workloads/networks/dense.h"
#include "workloads/sources/network_products.h"

namespace ipusim::workloads {

namespace {

// A layer that takes or gives halves rounds the products and the sums of every stage.
constexpr double kLayerFloatTolerance = 1e-5;
constexpr double kLayerHalfTolerance = 3e-2;

/// The inputs are x and the parameters.
HostTensors hostTensors(const Layer& layer, const Tensor& x, const Tensor& y) {
  std::vector<HostTensor> inputs{{"x", x}};
  for (const Parameter& parameter : layer.parameters()) {
    inputs.push_back({parameter.name, parameter.tensor});
  }
  return {std::move(inputs), {{"y", y}}};
}

Reference referenceOf(const std::shared_ptr<Layer>& layer, double tolerance) {
  return {[layer](const std::vector<Values>& values) {
            const std::vector<Values> parameters(values.begin() + 1, values.end());
            return std::vector<Values>{layer->reference(parameters, values.front())};
          },
          tolerance};
}

/// The loops of the matrix engines are the vertices that store their results in interleaved memory.
bool runsOnMatrixEngines(const VertexFamily& family) {
  const auto is_interleaved = [](const Field& field) {
    return field.memory == FieldMemory::Interleaved;
  };
  const std::vector<Field>& fields = family.type->fields;
  return std::any_of(fields.begin(), fields.end(), is_interleaved);
}

bool hasMatrixEngines(const Graph& graph) {
  const std::vector<ComputeSet>& sets = graph.computeSets();
  return std::any_of(sets.begin(), sets.end(), [](const ComputeSet& set) {
    return std::any_of(set.families.begin(), set.families.end(), runsOnMatrixEngines);
  });
}

/// The peak of the fastest units that any vertex runs on. The planner of a product chooses the
/// units by the sizes: one layer has the peak of either.
void setPeak(const Architecture& machine, ElementType type, BuiltWorkload& built) {
  if (hasMatrixEngines(built.graph)) {
    built.peak_flops_per_cycle = machine.peakFlopsPerCycle(type, type);
    built.peak_units = kMatrixEngines;
    return;
  }
  // Every tile multiplies and adds one vector per cycle.
  built.peak_flops_per_cycle = 2.0 * machine.vectorWidth(type) * machine.tiles;
  built.peak_units = kVectorUnits;
}

/// Whether a matrix may be in many parts. A plan, which says in how many, takes time.
bool mayHaveMany(std::uint64_t rows, std::uint64_t columns) {
  constexpr double kMany = 1e6;
  return static_cast<double>(rows) * static_cast<double>(columns) >= kMany;
}

}  // namespace

bool readBias(const ConfigReader& config) {
  return config.choice("bias", {"no", "yes"}, "yes") == "yes";
}

bool hasDenseBeside(const ConfigReader& config) {
  return config.choice("dense", {"no", "yes"}, "yes") == "yes";
}

LeastSize leastDense(const Architecture& machine, const MatmulProblem& product) {
  LeastSize least;
  if (!mayHaveMany(product.m, product.n)) return least;
  const ConvPlan plan = planMatmul(machine, product).conv;
  const ConvPartition& partition = plan.partition;
  least = leastOfPlan(machine, plan);
  if (partition.out_chans_serial == 1) return least;
  least.intervals = static_cast<double>(partition.out_chans_serial) * partition.tiles();
  return least;
}

BuiltWorkload buildLayer(const Architecture& machine, const LayerWorkload& workload) {
  BuiltWorkload built;
  Graph& graph = built.graph;
  const std::shared_ptr<Layer> layer =
      workload.make({graph, machine, workload.name, workload.batch, workload.type});
  const Tensor x = layer->addInput("x", workload.inputs);
  const Tensor y = layer->forward(x, Lifetime::Always, built.program);

  ModelSummary model{{}, layer->denseParameters()};
  for (const Parameter& parameter : layer->parameters()) {
    model.parameters.emplace_back(parameter.name, parameter.tensor.shape());
  }
  built.model = std::move(model);
  built.flops = layer->forwardFlops();
  built.samples = workload.batch;
  setPeak(machine, workload.type, built);
  built.host = [=] { return hostTensors(*layer, x, y); };
  const bool has_halves = workload.type == ElementType::Half || y.type() == ElementType::Half;
  built.reference = referenceOf(layer, has_halves ? kLayerHalfTolerance : kLayerFloatTolerance);
  return built;
}

BuiltWorkload buildStructuredLayer(const ConfigReader& config, const Architecture& machine,
                                   const LayerWorkload& workload, bool has_bias) {
  BuiltWorkload built = buildLayer(machine, workload);
  if (!hasDenseBeside(config)) return built;
  built.dense = [=] {
    LayerWorkload dense = workload;
    dense.name = "linear";
    dense.make = [=](const LayerSite& site) {
      MatmulProblem options;
      options.input = options.output = workload.type;
      options.pass = ConvPass::FcInferenceFwd;
      return std::make_shared<DenseLayer>(
          site, DenseShape{workload.inputs, workload.inputs, has_bias, options});
    };
    return buildLayer(machine, dense);
  };
  return built;
}

}  // namespace ipusim::workloads
