// SPDX-License-Identifier: Apache-2.0
#include "tests/conv_planner/resnet50.h"

#include <string>

namespace ipusim::workloads {
namespace {

struct Layer {
  const char* name;
  std::uint64_t in_chans;
  std::uint64_t out_chans;
  std::uint64_t field;
  std::uint64_t kernel;
  std::uint64_t stride;
  std::uint64_t count;
};

/// Stage 2 halves no field, so its projection has the shape of its last layers.
const std::vector<Layer>& layers() {
  static const std::vector<Layer> kLayers{
      {"conv1", 3, 64, 224, 7, 2, 1},          {"c2_first", 64, 64, 56, 1, 1, 1},
      {"c2_next", 256, 64, 56, 1, 1, 2},       {"c2_3x3", 64, 64, 56, 3, 1, 3},
      {"c2_last", 64, 256, 56, 1, 1, 4},       {"c3_first", 256, 128, 56, 1, 1, 1},
      {"c3_halving", 128, 128, 56, 3, 2, 1},   {"c3_next", 512, 128, 28, 1, 1, 3},
      {"c3_3x3", 128, 128, 28, 3, 1, 3},       {"c3_last", 128, 512, 28, 1, 1, 4},
      {"c3_project", 256, 512, 56, 1, 2, 1},   {"c4_first", 512, 256, 28, 1, 1, 1},
      {"c4_halving", 256, 256, 28, 3, 2, 1},   {"c4_next", 1024, 256, 14, 1, 1, 5},
      {"c4_3x3", 256, 256, 14, 3, 1, 5},       {"c4_last", 256, 1024, 14, 1, 1, 6},
      {"c4_project", 512, 1024, 28, 1, 2, 1},  {"c5_first", 1024, 512, 14, 1, 1, 1},
      {"c5_halving", 512, 512, 14, 3, 2, 1},   {"c5_next", 2048, 512, 7, 1, 1, 2},
      {"c5_3x3", 512, 512, 7, 3, 1, 2},        {"c5_last", 512, 2048, 7, 1, 1, 3},
      {"c5_project", 1024, 2048, 14, 1, 2, 1},
  };
  return kLayers;
}

}  // namespace

std::vector<LayerCount> resnet50Layers(std::uint64_t batch, ElementType type) {
  std::vector<LayerCount> counts;
  for (const Layer& layer : layers()) {
    ConvDim dim;
    dim.field = layer.field;
    dim.kernel = layer.kernel;
    dim.input.pad_lower = layer.kernel / 2;
    dim.input.pad_upper = layer.kernel / 2;
    dim.output.stride = layer.stride;
    counts.push_back({layer.name,
                      {1, batch, layer.in_chans, layer.out_chans, type, type, {dim, dim}},
                      layer.count});
  }
  return counts;
}

}  // namespace ipusim::workloads
