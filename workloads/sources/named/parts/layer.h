// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/config_reader.h"
#include "workloads/networks/layer.h"
#include "workloads/sources/workload.h"

// What the workloads of one layer have in common.

namespace ipusim::workloads {

/// The most features a layer may have, and the most rows a batch.
constexpr std::uint64_t kMaxFeatures = 1U << 16U;
constexpr std::uint64_t kMaxBatch = 1U << 20U;

/// The key `bias`, "yes" (the default) or "no".
bool readBias(const ConfigReader& config);

/// Builds a layer where it is told to.
using MakeLayer = std::function<std::shared_ptr<Layer>(const LayerSite& site)>;

/// The forward pass of one layer on a batch.
struct LayerWorkload {
  std::string name;
  std::uint64_t batch;
  std::uint64_t inputs;
  ElementType type = ElementType::Float;
  MakeLayer make;
};

/// The graph, its work and parameters, and the reference; rates are of vector arithmetic. `x` is
/// spread linearly.
BuiltWorkload buildLayer(const Architecture& machine, const LayerWorkload& workload);

/// The same; unless the key `dense` of `config` is "no", the dense layer of its size, with a bias
/// or not, is built beside it.
BuiltWorkload buildStructuredLayer(const ConfigReader& config, const Architecture& machine,
                                   const LayerWorkload& workload, bool has_bias);

}  // namespace ipusim::workloads
