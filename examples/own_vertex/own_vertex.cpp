// SPDX-License-Identifier: Apache-2.0
// Defines a vertex type of one's own: its fields, its cost and what it computes. The vertex clamps
// a vector to a range. Six vertices run on one tile.
#include <algorithm>
#include <iostream>

#include "ipusim/execute.h"
#include "ipusim/predict.h"

namespace {

using namespace ipusim;

constexpr std::uint64_t kShare = 100;
constexpr std::uint32_t kVertices = 6;

VertexType clampVertex(std::uint64_t elements, float limit) {
  VertexType type;
  type.name = "Clamp<float>";
  type.params = {{"elements", elements}, {"limit", double{limit}}};
  type.origin = Origin::User;
  type.kind = VertexKind::Worker;
  type.fields = {{"in", FieldDirection::Input, ElementType::Float, {{1, elements}}},
                 {"out", FieldDirection::Output, ElementType::Float, {{1, elements}}}};
  type.sizes = {Bytes(12), Bytes(0), Bytes(64)};
  type.work = workOn(type.fields, Flops(2 * elements));
  // Issue slots of a worker: three slots load, clamp and store two floats; 12 more enter and leave
  // the loop.
  type.cost = [elements](const Architecture& machine) {
    return Cycles(3 * ((elements + machine.vectorWidth(ElementType::Float) - 1) /
                       machine.vectorWidth(ElementType::Float)) +
                  12);
  };
  type.compute = [elements, limit](const VertexData& data) {
    const auto* in = data.as<float>(0, 0);
    auto* out = data.as<float>(1, 0);
    for (std::uint64_t i = 0; i < elements; ++i) out[i] = std::clamp(in[i], -limit, limit);
  };
  return type;
}

}  // namespace

int main() {
  const Machine machine = readPreset("gc200");
  Graph graph;
  const Shape shape = {kVertices * kShare};
  const Tensor in = graph.addVariable(ElementType::Float, shape, "in", Lifetime::Always);
  const Tensor out = graph.addVariable(ElementType::Float, shape, "out", Lifetime::Always);
  graph.setTileMapping(in, TileId(0));
  graph.setTileMapping(out, TileId(0));

  // A family: equal vertices, each with its data one share further on.
  const ComputeSetId clamp = graph.addComputeSet("clamp");
  graph.addVertices(
      clamp, {shared(clampVertex(kShare, 0.5F)),
              TileId(0),
              kVertices,
              {{in.slice(0, kShare, 0).view(), kShare}, {out.slice(0, kShare, 0).view(), kShare}}});
  graph.program().add(execute(clamp));

  const Result result = predict(graph, machine);
  std::cout << result.graph.vertices << " vertices, " << result.time.cycles.value() << " cycles\n";

  TensorValues values(kVertices * kShare);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) / 300 - 1;
  const auto found = execute(graph, machine, {{{"in", in, 2, values}}, {{"out", out}}});
  std::cout << "out: " << found[0][0] << ", " << found[0][300] << ", " << found[0][599] << '\n';
}
