// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/message_passing.h"

#include <utility>

#include "models/ipu/machine/element_words.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/planned_rows.h"
#include "workloads/sources/layer_programs.h"
#include "workloads/sources/named/parts/message_passing_body.h"
#include "workloads/sources/network_program.h"
#include "workloads/sources/network_summary.h"
#include "workloads/vertices/map_scalars.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kMostRows = 1U << 24U;
constexpr std::uint64_t kMostRowElements = 1U << 16U;
constexpr std::uint64_t kMostRepetitions = 1U << 20U;
/// As in graphcore-research/hydronet-gnn, mpbench.py (MIT).
constexpr std::uint64_t kRepetitions = 128;

/// The loop of a framework around a body. Its counter, and the condition on which the body runs,
/// are on tile 0.
/// Source: graphcore/popart, loopx.cpp (MIT).
class FrameworkLoop {
 public:
  FrameworkLoop(Graph& graph, const Architecture& machine, std::uint64_t repetitions)
      : graph_(graph),
        machine_(machine),
        repetitions_(repetitions),
        counter_(graph.addVariable(ElementType::UInt32, {1}, "loop/counter", Lifetime::Always)) {
    graph.setTileMapping(counter_, TileId(0));
  }

  /// The program of all repetitions. In each of them the result of the body is copied to `carried`,
  /// which the loop hands on and which lies alike.
  Program around(Program body, const CopyPair& carried) {
    Program iteration;
    addCondition(iteration);
    iteration.add(std::move(body));
    iteration.add(graph_.copy(carried.from, carried.to, "loop/carried"));
    addScalars(ScalarMap::Add, {{counter_.view()}, {constantOf(1, "one").view()}}, "loop/next",
               iteration);
    return repeat(repetitions_, {std::move(iteration)});
  }

 private:
  Tensor constantOf(std::uint64_t number, const std::string& name) {
    const Tensor constant =
        graph_.addConstant(ElementType::UInt32, {1}, static_cast<double>(number), "loop/" + name);
    graph_.setTileMapping(constant, TileId(0));
    return constant;
  }

  void addScalars(ScalarMap map, std::vector<Connection> fields, const std::string& name,
                  Program& program) {
    const ComputeSetId compute_set = graph_.addComputeSet(name);
    graph_.addVertices(compute_set,
                       {shared(mapScalarsVertex(map)), TileId(0), 1, std::move(fields)});
    program.add(execute(compute_set));
  }

  /// Every tile is told whether the body runs.
  void addCondition(Program& iteration) {
    const Tensor told = graph_.addVariable(ElementType::UInt32, {machine_.tiles}, "loop/predicate",
                                           Lifetime::Always);
    for (std::uint32_t tile = 0; tile < machine_.tiles; ++tile) {
      graph_.setTileMapping(told.slice(tile, tile + 1, 0), TileId(tile));
    }
    const Tensor goes_on = told.slice(0, 1, 0);
    addScalars(ScalarMap::LessThan,
               {{counter_.view()}, {constantOf(repetitions_, "last").view()}, {goes_on.view()}},
               "loop/condition", iteration);
    if (machine_.tiles == 1) return;
    iteration.add(graph_.copy(goes_on.broadcast(machine_.tiles - 1, 0),
                              told.slice(1, machine_.tiles, 0), "loop/predicate"));
  }

  Graph& graph_;
  const Architecture& machine_;
  std::uint64_t repetitions_;
  Tensor counter_;
};

/// Adds what a run does behind the loop: the sum of all elements goes to the host.
void addSumToHost(const Tensor& all, const Architecture& machine, BuiltWorkload& built) {
  const Tensor storage = storageOf(built.graph, all);
  const Tensor sum = reduceRowsByPlan(
      built.graph, machine, {models::ReduceOp::Add, storage.reshape({storage.elements(), 1})},
      {"sum", Lifetime::Always}, built.program);
  built.program.add(built.graph.stream("host/sum", {sum}, HostDirection::ToHost, HostPath::Link));
}

}  // namespace

BuiltWorkload buildMessagePassing(const ConfigReader& config, const Architecture& machine) {
  const MessagePassingShape shape{
      readWord(config, "op", kMessagePassingWords), config.whole("inputs", 1, kMostRows),
      config.whole("features", 2, kMostRowElements), config.whole("outputs", 1, kMostRows)};
  const std::uint64_t repetitions = config.whole("repetitions", 1, kMostRepetitions, kRepetitions);
  NetworkGraph network;
  network.setProducts(readProductSettings(config));
  BuiltWorkload built;
  const std::string place = config.place("op");
  makeAt(place, [&] {
    const NetworkTensorId result = addMessagePassing(shape, network);
    built.model = modelOf(network);
    built.flops = workOf(network) * repetitions;
    Program body = setNetwork(std::move(network), {result}, {machine, place, 1}, built);
    FrameworkLoop loop(built.graph, machine, repetitions);
    const Tensor returned = built.host().outputs.front().tensor;
    const Tensor carried =
        addAlike(built.graph, returned, returned.type(), "loop/carried", Lifetime::Always);
    built.program.add(loop.around(std::move(body), {returned, carried}));
    addSumToHost(carried, machine, built);
  });
  return built;
}

}  // namespace ipusim::workloads
