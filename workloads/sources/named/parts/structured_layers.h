// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "models/gpu/program.h"
#include "workloads/ops/butterfly/butterfly.h"
#include "workloads/sources/least_size.h"
#include "workloads/sources/named/parts/layer.h"

namespace ipusim::workloads {

/// A square layer that a config asks for.
struct LayerChoice {
  std::uint64_t features;
  bool has_bias;
  AddLayer add;  ///< with its bias
  /// The forward pass on a batch, without the bias, in eager PyTorch on a GPU.
  std::function<gpu::Program(std::uint64_t batch)> gpu = {};
};

/// The kinds of layer that can replace a dense one, sorted.
std::vector<std::string> structuredLayers();

/// Reads the keys of the layer `kind`, one of structuredLayers():
///
///   butterfly   features, bias, twiddles, order
///   circulant   features
///   fastfood    features, seed
///   low_rank    features, rank
///   pixelfly    features, butterfly_size, block, rank, block_sum
LayerChoice readStructuredLayer(const ConfigReader& config, const std::string& kind);

/// What building the layer `kind` surely takes on a batch. Of most layers it knows nothing.
LeastSize leastSizeOf(const ConfigReader& config, const std::string& kind);

/// Reads the keys `features`, a power of two, `twiddles` ("tied" or "untied") and `order`
/// ("increasing" or "decreasing").
ButterflyShape readButterflyShape(const ConfigReader& config);

/// Reads the key `features`, a power of two.
std::uint64_t readFeatures(const ConfigReader& config);

}  // namespace ipusim::workloads
