// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/parts/layer.h"

#include <algorithm>
#include <utility>

#include "workloads/sources/layer_programs.h"
#include "workloads/sources/network_products.h"
#include "workloads/sources/network_summary.h"

namespace ipusim::workloads {

namespace {

// A layer that takes or gives halves rounds the products and the sums of every stage.
constexpr double kLayerFloatTolerance = 1e-5;
constexpr double kLayerHalfTolerance = 3e-2;

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
  if (!mayHaveMany(product.m, product.n)) return {};
  return leastOfPlan(machine, planMatmul(machine, product).conv);
}

BuiltWorkload buildLayer(const Architecture& machine, const LayerWorkload& workload) {
  NetworkGraph network;
  network.setProducts(workload.products);
  const NetworkTensorId x =
      network.addSource("x", {{workload.batch, workload.inputs}, workload.type}, TensorRole::Input);
  const NetworkTensorId y = workload.add({network, workload.name, x, workload.type});
  const TensorType result = network[y].type;
  const bool has_halves = workload.type == ElementType::Half || result.type == ElementType::Half;

  BuiltWorkload built;
  built.model = modelOf(network);
  built.model->dense_parameters =
      result.shape.back() * (workload.inputs + (workload.has_bias ? 1 : 0));
  built.flops = workOf(network);
  built.samples = workload.batch;
  // The tolerance of a layer covers its roundings.
  NetworkRun run{machine, workload.name, 1};
  run.forgives_rounding = false;
  built.program = setNetwork(std::move(network), {y}, run, built);
  built.reference->tolerance = has_halves ? kLayerHalfTolerance : kLayerFloatTolerance;
  setPeak(machine, workload.type, built);
  return built;
}

BuiltWorkload buildStructuredLayer(const ConfigReader& config, const Architecture& machine,
                                   const LayerWorkload& workload) {
  BuiltWorkload built = buildLayer(machine, workload);
  if (!hasDenseBeside(config)) return built;
  built.dense = [=] {
    LayerWorkload dense = workload;
    dense.name = "linear";
    dense.add = [=](const LayerSite& site) {
      return site.linear("", site.x, workload.inputs, workload.has_bias);
    };
    return buildLayer(machine, dense);
  };
  return built;
}

}  // namespace ipusim::workloads
