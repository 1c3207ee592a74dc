// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/linear.h"

#include "workloads/networks/dense.h"
#include "workloads/ops/matmul/gpu_matmul.h"
#include "workloads/sources/named/parts/layer.h"
#include "workloads/sources/named/parts/matmul_options.h"

namespace ipusim::workloads {

namespace {

/// The product of the layer, whose plan and work are legal.
MatmulProblem readProduct(const ConfigReader& config) {
  MatmulProblem product = readMatmulOptions(config);
  product.pass = ConvPass::FcInferenceFwd;
  product.m = config.whole("batch", 1, kMaxConvDimension);
  product.k = config.whole("in", 1, kMaxConvDimension);
  product.n = config.whole("out", 1, kMaxConvDimension);
  (void)matmulFlops(config, product);  // throws when the work does not fit 64 bits
  expectPlannable(config, product);
  return product;
}

}  // namespace

LeastSize leastLinear(const ConfigReader& config, const Architecture& machine) {
  return leastDense(machine, readProduct(config));
}

BuiltWorkload buildLinear(const ConfigReader& config, const Architecture& machine) {
  const MatmulProblem product = readProduct(config);
  const DenseShape shape{product.k, product.n, readBias(config), product};
  LayerWorkload workload{"linear", product.m, product.k, product.input, {}};
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
