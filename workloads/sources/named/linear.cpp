// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/linear.h"

#include "workloads/networks/dense.h"
#include "workloads/ops/matmul/gpu_matmul.h"
#include "workloads/sources/named/parts/layer.h"
#include "workloads/sources/named/parts/matmul_options.h"

namespace ipusim::workloads {

BuiltWorkload buildLinear(const ConfigReader& config, const Architecture& machine) {
  DenseShape shape{};
  shape.options = readMatmulOptions(config);
  shape.options.pass = ConvPass::FcInferenceFwd;
  shape.inputs = config.whole("in", 1, kMaxConvDimension);
  shape.outputs = config.whole("out", 1, kMaxConvDimension);
  shape.has_bias = readBias(config);
  LayerWorkload workload{
      "linear", config.whole("batch", 1, kMaxConvDimension), shape.inputs, shape.options.input, {}};
  MatmulProblem product = shape.options;
  product.m = workload.batch;
  product.k = shape.inputs;
  product.n = shape.outputs;
  (void)matmulFlops(config, product);  // throws when the work does not fit 64 bits
  expectPlannable(config, product);
  std::shared_ptr<DenseLayer> layer;
  workload.make = [&](const LayerSite& site) {
    return layer = std::make_shared<DenseLayer>(site, shape);
  };
  BuiltWorkload built = buildLayer(machine, workload);
  built.plan = summaryOf(layer->plan());
  built.peak_flops_per_cycle = peakFlopsPerCycle(machine, layer->problem());
  built.peak_units = kMatrixEngines;
  built.gpu = gpuMatmuls({layer->problem()});
  return built;
}

}  // namespace ipusim::workloads
