// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/stencil/halo.h"

#include <algorithm>
#include <utility>

#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

namespace {

using Offset = std::vector<std::int64_t>;

/// All offsets to neighbouring blocks from which a block gets points.
std::vector<Offset> neighbourOffsets(const Stencil& stencil, std::size_t dims) {
  Stencil nearest = stencil;
  nearest.radius = 1;
  std::vector<Offset> offsets;
  for (StencilTerm& term : termsOf(nearest, dims)) {
    if (term.offset != Offset(dims, 0)) offsets.push_back(std::move(term.offset));
  }
  return offsets;
}

/// Elements [begin, end) of one dimension.
struct HaloRange {
  std::uint64_t begin;
  std::uint64_t end;
};

/// The halo of a block towards the neighbour at `offset`.
HaloRange haloRange(std::uint64_t points, std::uint64_t radius, std::int64_t offset) {
  return offset < 0 ? HaloRange{0, radius} : HaloRange{radius + points, points + 2 * radius};
}

/// What the neighbour at `offset` sends: its points nearest to the block.
HaloRange sentRange(std::uint64_t points, std::uint64_t radius, std::int64_t offset) {
  return offset < 0 ? HaloRange{points, radius + points} : HaloRange{radius, 2 * radius};
}

using RangeOf = HaloRange (*)(std::uint64_t points, std::uint64_t radius, std::int64_t offset);

/// The parts of blocks that one end of an exchange has.
struct HaloEnd {
  const StencilGrid& grid;
  const HaloGrid& data;
  std::uint64_t radius;
  RangeOf range_of;  ///< in a dimension with an offset

  [[nodiscard]] Tensor of(std::size_t number, const Offset& offset) const {
    const GridBlock& block = grid.blocks()[number];
    Tensor part = data.blocks[number];
    for (std::size_t d = 0; d < offset.size(); ++d) {
      const HaloRange own{radius, radius + block.points[d]};
      const HaloRange range = offset[d] == 0 ? own : range_of(block.points[d], radius, offset[d]);
      part = part.slice(range.begin, range.end, d);
    }
    return part;
  }
};

}  // namespace

HaloGrid addHaloGrid(Graph& graph, const StencilGrid& grid, const Stencil& stencil,
                     const std::string& name) {
  std::vector<Shape> shapes;
  std::uint64_t elements = 0;
  for (const GridBlock& block : grid.blocks()) {
    shapes.push_back(paddedSizes(block.points, stencil.radius));
    shapes.back().push_back(stencil.values);
    elements += elementsOf(shapes.back());
  }
  HaloGrid data{graph.addVariable(stencil.type, {elements}, name, Lifetime::Always), {}};
  std::uint64_t begin = 0;
  for (std::size_t b = 0; b < shapes.size(); ++b) {
    const Tensor block = data.all.slice(begin, begin + elementsOf(shapes[b]), 0);
    graph.setTileMapping(block, grid.blocks()[b].tile);
    data.blocks.push_back(block.reshape(shapes[b]));
    begin += elementsOf(shapes[b]);
  }
  return data;
}

Tensor innerPoints(const HaloGrid& grid, std::uint64_t radius) {
  std::vector<Tensor> parts;
  for (const Tensor& block : grid.blocks) {
    Tensor inner = block;
    for (std::size_t d = 0; d + 1 < block.shape().size(); ++d) {
      inner = inner.slice(radius, inner.shape()[d] - radius, d);
    }
    parts.push_back(inner.reshape({inner.elements()}));
  }
  return concat(parts, 0);
}

Program exchangeHalos(Graph& graph, const StencilGrid& grid, const HaloGrid& data,
                      const Stencil& stencil) {
  const std::vector<Offset> offsets = neighbourOffsets(stencil, grid.points().size());
  const HaloEnd sent{grid, data, stencil.radius, sentRange};
  const HaloEnd filled{grid, data, stencil.radius, haloRange};
  std::vector<CopyPair> pairs;
  for (std::size_t b = 0; b < grid.blocks().size(); ++b) {
    for (const Offset& offset : offsets) {
      const auto other = grid.neighbour(grid.blocks()[b], offset);
      if (!other) continue;
      pairs.push_back({sent.of(*other, offset), filled.of(b, offset)});
    }
  }
  return pairs.empty() ? Program() : graph.copy(pairs, "halo");
}

Program computeStep(Graph& graph, const StencilGrid& grid, const Stencil& stencil,
                    const StencilStep& step, const std::string& name) {
  const ComputeSetId compute_set = graph.addComputeSet(name);
  TypeCache<GridSizes> types;
  for (std::size_t b = 0; b < grid.blocks().size(); ++b) {
    const auto& [tile, place, begin, points] = grid.blocks()[b];
    const auto& type = types.get(points, [&, &sizes = points] {
      const GridSizes workers =
          step.workers.empty() ? bestWorkerGrid(sizes, step.tile_workers) : step.workers;
      return userStencilVertex(stencil, {sizes, workers});
    });
    graph.addVertices(compute_set,
                      {type, tile, 1, {{step.from.blocks[b].view()}, {step.to.blocks[b].view()}}});
  }
  return execute(compute_set);
}

}  // namespace ipusim::workloads
