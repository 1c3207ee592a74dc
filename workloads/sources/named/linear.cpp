// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/linear.h"

#include "workloads/networks/operations/products/product.h"
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

/// The layer as nodes. A bias is added to the result, whose type may be another one.
AddLayer linearLayer(const MatmulProblem& product, bool has_bias) {
  return [=](const LayerSite& site) {
    MatmulForm form;
    form.output = product.output;
    const NetworkTensorId y =
        site.add("", matmul(form), {site.x, site.parameter("weights", {product.k, product.n})});
    const LayerSite behind{site.graph, site.name, y, product.output};
    return has_bias ? behind.withBias("", y) : y;
  };
}

}  // namespace

LeastSize leastLinear(const ConfigReader& config, const Architecture& machine) {
  return leastDense(machine, readProduct(config));
}

BuiltWorkload buildLinear(const ConfigReader& config, const Architecture& machine) {
  const MatmulProblem product = readProduct(config);
  const bool has_bias = readBias(config);
  const LayerWorkload workload{
      "linear",
      product.m,
      product.k,
      product.input,
      has_bias,
      linearLayer(product, has_bias),
      {product.partials, product.available_memory_proportion, product.method, product.serial}};
  BuiltWorkload built = buildLayer(machine, workload);
  built.plan = summaryOf(planMatmul(machine, product));
  built.peak_flops_per_cycle = peakFlopsPerCycle(machine, product);
  built.peak_units = kMatrixEngines;
  built.gpu = gpuMatmuls({product});
  return built;
}

}  // namespace ipusim::workloads
