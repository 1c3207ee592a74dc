// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/topology/topology_workload.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error_boundary.h"
#include "base/text/message.h"
#include "models/ipu/machine/element_words.h"
#include "workloads/networks/gpu/gpu_network.h"
#include "workloads/networks/operations/products/product.h"
#include "workloads/networks/operations/windows/convolution.h"
#include "workloads/sources/layer_programs.h"
#include "workloads/sources/network_products.h"
#include "workloads/sources/network_summary.h"

namespace ipusim::interop {

namespace {

constexpr std::uint64_t kMaxLayerBatch = 1U << 16U;

/// Adds the node of a layer to an empty network.
struct LayerOfShape {
  workloads::LayerNetwork& layer;
  std::uint64_t batch;
  ElementType type;

  void operator()(const TopologyConvolution& conv) const {
    const std::uint64_t groups = conv.is_depthwise ? conv.channels : 1;
    workloads::ConvolutionShape shape{workloads::WindowMotion::plain(2), groups};
    shape.motion.stride = {conv.stride_height, conv.stride_width};
    shape.motion.padding_upper = {
        beyondEdge(conv.ifmap_height, conv.filter_height, conv.stride_height),
        beyondEdge(conv.ifmap_width, conv.filter_width, conv.stride_width)};
    add(workloads::convolution(shape), {batch, conv.channels, conv.ifmap_height, conv.ifmap_width},
        {conv.filters * groups, conv.channels / groups, conv.filter_height, conv.filter_width});
  }
  void operator()(const TopologyProduct& product) const {
    add(workloads::matmul(), {checkedProduct(product.m, batch), product.k}, {product.k, product.n});
  }

 private:
  /// How far the last window reaches over the edge.
  static std::uint64_t beyondEdge(std::uint64_t ifmap, std::uint64_t filter, std::uint64_t stride) {
    const std::uint64_t positions = ceilDiv(ifmap - filter + stride, stride);
    const std::uint64_t extent = (positions - 1) * stride + filter;
    return extent - std::min(extent, ifmap);
  }

  void add(workloads::OperationPointer operation, const Shape& input, const Shape& weights) const {
    const workloads::NetworkTensorId x =
        layer.graph.addSource(layer.name + "/x", {input, type}, workloads::TensorRole::Input);
    const workloads::NetworkTensorId w = layer.graph.addSource(
        layer.name + "/weights", {weights, type}, workloads::TensorRole::Parameter);
    layer.outputs = {layer.graph.add(layer.name, std::move(operation), {x, w})};
  }
};

/// The programs of all layers, one after the other. The tensors of a layer are alive alone.
gpu::Program gpuLayers(const std::vector<workloads::LayerNetwork>& layers) {
  gpu::Program all{"layers", {}, Bytes(0)};
  for (const workloads::LayerNetwork& layer : layers) {
    gpu::Program one = workloads::gpuNetwork(layer.graph, layer.outputs);
    std::move(one.operators.begin(), one.operators.end(), std::back_inserter(all.operators));
    all.tensors = std::max(all.tensors, one.tensors);
    all.numbers = one.numbers;
  }
  return all;
}

/// The network of a layer whose work and bytes are no more than 64 bits can count.
workloads::LayerNetwork countedNetwork(const TopologyLayer& layer, std::uint64_t batch,
                                       ElementType type) {
  const auto counted = [&] {
    workloads::LayerNetwork network = networkOf(layer, batch, type);
    static_cast<void>(workloads::workOf(network.graph));
    static_cast<void>(workloads::operandBytes(network));
    return network;
  };
  return translateErrors<CountError>(counted, [](const CountError&) {
    return workloads::OperandError("sizes whose work and bytes 64 bits can count", "larger ones");
  });
}

/// The samples of a run on `batch` samples of each layer. None where the file gives the layers
/// batches that differ.
std::uint64_t samplesOf(const std::vector<TopologyLayer>& layers, std::uint64_t batch) {
  const std::uint64_t first = layers.front().batch;
  const bool are_equal = std::all_of(layers.begin(), layers.end(),
                                     [&](const TopologyLayer& one) { return one.batch == first; });
  return are_equal ? batch * first : 0;
}

/// The keys of a topology, and the layers of its file.
struct Topology {
  std::string name;  ///< of the file, in messages
  std::uint64_t batch;
  ElementType type;
  std::vector<TopologyLayer> layers;

  [[nodiscard]] std::string placeOf(std::size_t layer) const {
    return fmt::format("{}:{}", name, layers[layer].line);
  }
  [[nodiscard]] workloads::LayerNetwork networkAt(std::size_t layer) const {
    return countedNetwork(layers[layer], batch, type);
  }
};

Topology readTopology(const ConfigReader& config) {
  const std::filesystem::path file = config.path("file");
  Topology topology;
  topology.batch = config.whole("batch", 1, kMaxLayerBatch, 1);
  topology.type = readWord(config, "type", kNumberWords, ElementType::Float);
  topology.name = oneLine(file.string(), 4 * kQuotedLength);
  topology.layers = parseTopology(readConfigText(file), topology.name);
  return topology;
}

}  // namespace

workloads::LayerNetwork networkOf(const TopologyLayer& layer, std::uint64_t batch,
                                  ElementType type) {
  workloads::LayerNetwork network;
  network.name = layer.name;
  network.equal_to = 0;
  std::visit(LayerOfShape{network, checkedProduct(batch, layer.batch), type}, layer.shape);
  return network;
}

workloads::LeastSize leastTopology(const ConfigReader& config, const System& system) {
  const Topology topology = readTopology(config);
  const Architecture machine = system.allTiles();
  std::vector<workloads::LeastSize> sizes;
  for (std::size_t l = 0; l < topology.layers.size(); ++l) {
    workloads::makeAt(topology.placeOf(l), [&] {
      sizes.push_back(
          workloads::largestSize(workloads::leastProducts(machine, topology.networkAt(l).graph)));
    });
  }
  return workloads::largestSize(sizes);
}

workloads::BuiltWorkload buildTopology(const ConfigReader& config, const Architecture& machine) {
  const Topology topology = readTopology(config);
  std::vector<workloads::LayerNetwork> networks;
  std::vector<workloads::PlacedLayer> layers;
  workloads::BuiltWorkload built;
  built.flops = Flops(0);
  built.samples = samplesOf(topology.layers, topology.batch);
  for (std::size_t l = 0; l < topology.layers.size(); ++l) {
    workloads::makeAt(topology.placeOf(l), [&] {
      networks.push_back(topology.networkAt(l));
      *built.flops += workloads::workOf(networks.back().graph);
    });
    built.layers.push_back(workloads::layerSummaries(networks.back().graph).front());
  }
  workloads::findEqualLayers(networks);
  built.gpu = gpuLayers(networks);
  for (std::size_t l = 0; l < networks.size(); ++l) {
    layers.push_back({std::move(networks[l]), topology.placeOf(l)});
  }
  workloads::setSeparatePrograms(std::move(layers), machine, built);
  return built;
}

}  // namespace ipusim::interop
