// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/config/config_reader.h"
#include "workloads/networks/graph/layer_site.h"
#include "workloads/ops/matmul/plan.h"
#include "workloads/sources/workload.h"

// The common part of the workloads with one layer.

namespace ipusim::workloads {

/// The largest number of features of a layer, and of rows of a batch.
constexpr std::uint64_t kMaxFeatures = 1U << 16U;
constexpr std::uint64_t kMaxBatch = 1U << 20U;

/// The key `bias`, "yes" (the default) or "no".
bool readBias(const ConfigReader& config);

/// The forward pass of one layer on a batch.
struct LayerWorkload {
  std::string name;
  std::uint64_t batch;
  std::uint64_t inputs;
  ElementType type = ElementType::Float;
  bool has_bias;  ///< of the dense layer that this one replaces
  AddLayer add;   ///< adds the layer, with its bias
  ProductSettings products = {};
};

/// Builds the graph, its work and parameters, and the reference. The peak is that of the units that
/// do the work. `x` lies where the layer wants it, or is spread linearly.
BuiltWorkload buildLayer(const Architecture& machine, const LayerWorkload& workload);

/// The key `dense`, "yes" (the default) or "no": whether a structured layer has the dense layer of
/// its size beside it.
bool hasDenseBeside(const ConfigReader& config);

/// What building the dense layer of a product surely takes.
LeastSize leastDense(const Architecture& machine, const MatmulProblem& product);

/// Builds the layer, and beside it the dense layer of its size, with or without a bias. The key
/// `dense` = "no" of `config` leaves the dense layer out.
BuiltWorkload buildStructuredLayer(const ConfigReader& config, const Architecture& machine,
                                   const LayerWorkload& workload);

}  // namespace ipusim::workloads
