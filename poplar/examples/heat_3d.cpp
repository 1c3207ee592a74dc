// SPDX-License-Identifier: Apache-2.0
// The heat equation on a cube, seven points. Each IPU has a slab along z, each tile a block of
// that, each worker a part of a block. Arguments: points on a side, steps (even), vertex
// (Heat3DSimple or Heat3DPairs), IPUs, blocks of an IPU along x, y and z.
#include <array>

#include "heat.hpp"

using namespace poplar;

namespace {

constexpr float kAlpha = 0.1f;
using Block = std::array<Interval, 3>;

Interval part(Interval whole, unsigned index, unsigned parts) {
  return Interval(whole.begin() + blockBegin(index, parts, unsigned(whole.size())),
                  whole.begin() + blockBegin(index + 1, parts, unsigned(whole.size())));
}

struct Plan {
  unsigned points;
  unsigned ipus;
  unsigned tiles_per_ipu;
  std::array<unsigned, 3> blocks;  // of an IPU
  std::string vertex;

  /// The tiles that have a block.
  std::vector<unsigned> tiles() const {
    std::vector<unsigned> tiles;
    for (unsigned ipu = 0; ipu < ipus; ++ipu) {
      for (unsigned b = 0; b < blocks[0] * blocks[1] * blocks[2]; ++b) {
        tiles.push_back(ipu * tiles_per_ipu + b);
      }
    }
    return tiles;
  }
  /// The part of the interior that a tile has, in points of the cube.
  Block blockOf(unsigned tile) const {
    const Interval side(1, points - 1);
    const unsigned b = tile % tiles_per_ipu;
    return {part(side, b / (blocks[1] * blocks[2]), blocks[0]),
            part(side, b / blocks[2] % blocks[1], blocks[1]),
            part(part(side, tile / tiles_per_ipu, ipus), b % blocks[2], blocks[2])};
  }
};

Tensor slice(const Tensor& tensor, const Block& block, std::size_t halo) {
  return tensor.slice({block[0].begin() - halo, block[1].begin() - halo, block[2].begin() - halo},
                      {block[0].end() + halo, block[1].end() + halo, block[2].end() + halo});
}

void map(Graph& graph, const Plan& plan, const Tensor& tensor) {
  for (const unsigned tile : plan.tiles()) {
    Block block = plan.blockOf(tile);
    for (Interval& side : block) {
      side = Interval(side.begin() == 1 ? 0 : side.begin(),
                      side.end() == plan.points - 1 ? plan.points : side.end());
    }
    graph.setTileMapping(slice(tensor, block, 0), tile);
  }
}

ComputeSet addStep(Graph& graph, const Plan& plan, const Tensor& from, const Tensor& to) {
  const ComputeSet step = graph.addComputeSet("step");
  for (const unsigned tile : plan.tiles()) {
    for (unsigned worker = 0; worker < 6; ++worker) {
      Block block = plan.blockOf(tile);
      block[0] = part(block[0], worker / 3, 2);
      block[1] = part(block[1], worker % 3, 3);
      if (block[0].size() == 0 || block[1].size() == 0) continue;
      const VertexRef vertex = graph.addVertex(step, plan.vertex,
                                               {{"in", slice(from, block, 1).flatten(0, 2)},
                                                {"out", slice(to, block, 0).flatten(0, 2)}});
      graph.setInitialValue(vertex["height"], unsigned(block[0].size()));
      graph.setInitialValue(vertex["width"], unsigned(block[1].size()));
      graph.setInitialValue(vertex["depth"], unsigned(block[2].size()));
      graph.setInitialValue(vertex["alpha"], kAlpha);
      graph.setTileMapping(vertex, tile);
    }
  }
  return step;
}

std::vector<float> onHost(std::size_t n, unsigned steps, std::vector<float> from) {
  const float beta = 1.0f - 6.0f * kAlpha;
  std::vector<float> to = from;
  for (unsigned step = 0; step < steps; ++step) {
    for (std::size_t x = 1; x + 1 < n; ++x) {
      for (std::size_t y = 1; y + 1 < n; ++y) {
        for (std::size_t z = 1; z + 1 < n; ++z) {
          const std::size_t i = (x * n + y) * n + z;
          const float* at = from.data() + i;
          to[i] = beta * at[0] +
                  kAlpha * (at[-1] + at[1] + *(at - n) + at[n] + *(at - n * n) + at[n * n]);
        }
      }
    }
    std::swap(from, to);
  }
  return from;
}

}  // namespace

int main(int count, char** texts) {
  const Arguments arguments(count, texts);
  const unsigned ipus = arguments.number("ipus", 1);
  const unsigned steps = arguments.number("steps", 2);
  const Device device = attachedDevice(ipus);
  const Plan plan = {arguments.number("points", 360),
                     ipus,
                     device.getTarget().getTilesPerIPU(),
                     {arguments.number("blocks_x", 23), arguments.number("blocks_y", 8),
                      arguments.number("blocks_z", 8)},
                     arguments.text("vertex", "Heat3DPairs")};
  Graph graph(device);
  graph.addCodelets("heat_codelets.cpp", CodeletFileType::Auto, "-O3");
  const Tensor a = graph.addVariable(FLOAT, {plan.points, plan.points, plan.points}, "a");
  const Tensor b = graph.addVariable(FLOAT, {plan.points, plan.points, plan.points}, "b");
  map(graph, plan, a);
  map(graph, plan, b);
  return runHeat(
      device, graph, b, a, steps,
      [&](const Tensor& from, const Tensor& to) { return addStep(graph, plan, from, to); },
      [&](const std::vector<float>& start) { return onHost(plan.points, steps, start); });
}
