// SPDX-License-Identifier: Apache-2.0
// The heat equation on a square, five points. Each IPU has some of the columns, each tile a
// rectangle of these, each worker some of its rows. Arguments: points on a side, steps (even),
// IPUs, rows and columns of tiles of an IPU.
#include "heat.hpp"

using namespace poplar;

namespace {

constexpr float kAlpha = 0.1f;
constexpr unsigned kWorkers = 6;

Interval part(Interval whole, unsigned index, unsigned parts) {
  return Interval(whole.begin() + blockBegin(index, parts, unsigned(whole.size())),
                  whole.begin() + blockBegin(index + 1, parts, unsigned(whole.size())));
}

struct Plan {
  unsigned points;
  unsigned ipus;
  unsigned tiles_per_ipu;
  unsigned rows;  // of tiles of an IPU
  unsigned columns;

  /// Points inside the boundary, along a side.
  Interval interior() const { return Interval(1, points - 1); }
  Interval rowsOf(unsigned tile) const {
    return part(interior(), tile % tiles_per_ipu / columns, rows);
  }
  Interval columnsOf(unsigned tile) const {
    return part(part(interior(), tile / tiles_per_ipu, ipus), tile % tiles_per_ipu % columns,
                columns);
  }
  /// The tiles that have a rectangle.
  std::vector<unsigned> tiles() const {
    std::vector<unsigned> tiles;
    for (unsigned ipu = 0; ipu < ipus; ++ipu) {
      for (unsigned t = 0; t < rows * columns; ++t) tiles.push_back(ipu * tiles_per_ipu + t);
    }
    return tiles;
  }
  /// What a tile has: its part, and the boundary next to it.
  Interval owned(Interval part) const {
    return Interval(part.begin() == 1 ? 0 : part.begin(),
                    part.end() == points - 1 ? points : part.end());
  }
};

void map(Graph& graph, const Plan& plan, const Tensor& tensor) {
  for (const unsigned tile : plan.tiles()) {
    const Interval rows = plan.owned(plan.rowsOf(tile));
    const Interval columns = plan.owned(plan.columnsOf(tile));
    graph.setTileMapping(tensor.slice({rows.begin(), columns.begin()}, {rows.end(), columns.end()}),
                         tile);
  }
}

ComputeSet addStep(Graph& graph, const Plan& plan, const Tensor& from, const Tensor& to) {
  const ComputeSet step = graph.addComputeSet("step");
  for (const unsigned tile : plan.tiles()) {
    const Interval rows = plan.rowsOf(tile);
    const Interval columns = plan.columnsOf(tile);
    for (unsigned worker = 0; worker < kWorkers; ++worker) {
      const auto begin = rows.begin() + blockBegin(worker, kWorkers, unsigned(rows.size()));
      const auto end = rows.begin() + blockBegin(worker + 1, kWorkers, unsigned(rows.size()));
      if (begin == end) continue;
      const VertexRef vertex = graph.addVertex(
          step, "Heat2D",
          {{"in", from.slice({begin - 1, columns.begin() - 1}, {end + 1, columns.end() + 1})},
           {"out", to.slice({begin, columns.begin()}, {end, columns.end()})}});
      graph.setInitialValue(vertex["width"], unsigned(columns.size()));
      graph.setInitialValue(vertex["height"], unsigned(end - begin));
      graph.setInitialValue(vertex["alpha"], kAlpha);
      graph.setTileMapping(vertex, tile);
    }
  }
  return step;
}

std::vector<float> onHost(unsigned n, unsigned steps, std::vector<float> from) {
  const float beta = 1.0f - 4.0f * kAlpha;
  std::vector<float> to = from;
  for (unsigned step = 0; step < steps; ++step) {
    for (std::size_t y = 1; y + 1 < n; ++y) {
      for (std::size_t x = 1; x + 1 < n; ++x) {
        const float* at = from.data() + y * n + x;
        to[y * n + x] = beta * at[0] + kAlpha * (at[-1] + at[1] + *(at - n) + at[n]);
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
  const Plan plan = {arguments.number("points", 8000), ipus, device.getTarget().getTilesPerIPU(),
                     arguments.number("tile_rows", 46), arguments.number("tile_columns", 32)};
  Graph graph(device);
  graph.addCodelets("heat_codelets.cpp", CodeletFileType::Auto, "-O3");
  const Tensor a = graph.addVariable(FLOAT, {plan.points, plan.points}, "a");
  const Tensor b = graph.addVariable(FLOAT, {plan.points, plan.points}, "b");
  map(graph, plan, a);
  map(graph, plan, b);
  return runHeat(
      device, graph, b, a, steps,
      [&](const Tensor& from, const Tensor& to) { return addStep(graph, plan, from, to); },
      [&](const std::vector<float>& start) { return onHost(plan.points, steps, start); });
}
