// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/layer_programs.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "workloads/sources/network_on_tiles.h"
#include "workloads/sources/network_passes.h"
#include "workloads/sources/network_summary.h"

namespace ipusim::workloads {

namespace {

constexpr double kLayerProgramsFloatTolerance = 2e-4;
constexpr double kLayerProgramsHalfTolerance = 3e-2;

double toleranceOf(const NetworkGraph& network) {
  const auto& tensors = network.tensors();
  const bool has_half = std::any_of(
      tensors.begin(), tensors.end(),
      [](const NetworkTensor& tensor) { return tensor.type.type == ElementType::Half; });
  return has_half ? kLayerProgramsHalfTolerance : kLayerProgramsFloatTolerance;
}

BuiltWorkload buildLayer(const PlacedLayer& layer, const Architecture& machine) {
  BuiltWorkload built;
  makeAt(layer.place, [&] {
    built.program =
        setNetwork(layer.network.graph, layer.network.outputs, {machine, layer.place, 1}, built);
  });
  built.flops = workOf(layer.network.graph);
  return built;
}

}  // namespace

Program setNetwork(NetworkGraph network, const std::vector<NetworkTensorId>& outputs,
                   const NetworkRun& run, BuiltWorkload& built) {
  Program pass;
  const double tolerance = toleranceOf(network);
  const std::vector<OutlinedFunction> functions =
      run.outlines ? outlinedFunctions(network, outputs) : std::vector<OutlinedFunction>{};
  const auto on_tiles = std::make_shared<const NetworkOnTiles>(
      std::move(network), outputs, built.graph, run.machine, pass, functions);
  std::uint64_t calls = 0;
  for (const OutlinedFunction& function : functions) calls += function.calls.size();
  if (calls > 0) built.passes.push_back({kOutlinePass, calls});
  built.unchecked = on_tiles->unchecked();
  built.host = [on_tiles, place = run.place] {
    HostTensors host;
    makeAt(place, [&] { host = on_tiles->hostTensors(); });
    return host;
  };
  built.reference = {[on_tiles, place = run.place,
                      forgives = run.forgives_rounding](const std::vector<TensorValues>& inputs) {
                       Expected expected(std::vector<TensorValues>{});
                       makeAt(place, [&] {
                         expected = forgives ? on_tiles->expected(inputs) : on_tiles->exact(inputs);
                       });
                       return expected;
                     },
                     tolerance, run.rounds};
  return run.copies_batch ? on_tiles->betweenHostCopies(std::move(pass), built.graph) : pass;
}

void setSeparatePrograms(std::vector<PlacedLayer> layers, const Architecture& machine,
                         BuiltWorkload& built) {
  const auto shared = std::make_shared<const std::vector<PlacedLayer>>(std::move(layers));
  for (std::size_t l = 0; l < shared->size(); ++l) {
    const LayerNetwork& network = (*shared)[l].network;
    built.separate.push_back({network.equal_to, operandBytes(network),
                              [shared, l, machine] { return buildLayer((*shared)[l], machine); }});
  }
}

}  // namespace ipusim::workloads
