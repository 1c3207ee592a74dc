// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/named/stencil.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "models/ipu/machine/element_words.h"
#include "workloads/ops/stencil/halo.h"
#include "workloads/ops/stencil/reference.h"
#include "workloads/sources/named/parts/rounding.h"

namespace ipusim::workloads {

namespace {

constexpr std::uint64_t kMostPoints = std::uint64_t{1} << 32U;
constexpr std::uint64_t kMostStencilSteps = 1'000'000'000;
constexpr std::uint64_t kStencilMostFlops = 1'000'000;
constexpr std::uint64_t kMaxRadius = 8;
constexpr std::uint64_t kMaxValues = 64;
constexpr double kMaxCyclesPerPoint = 1e6;

/// The IPUs that a grid is cut for.
struct StencilTarget {
  std::uint32_t ipus;
  Architecture ipu;
};

GridSizes readPoints(const ConfigReader& config) {
  GridSizes points = config.wholes("points", 1, kMostPoints);
  const bool is_grid = points.size() == 2 || points.size() == 3;
  if (!is_grid) throw config.error("points", "two or three sizes");
  std::uint64_t all = 1;
  for (const std::uint64_t size : points) {
    if (size > kMostPoints / all) {
      throw config.error("points", fmt::format("at most {} points", kMostPoints));
    }
    all *= size;
  }
  return points;
}

Stencil readStencil(const ConfigReader& config, std::size_t dims) {
  Stencil stencil{readWord(config, "shape", kStencilWords, StencilShape::Star),
                  config.whole("radius", 1, kMaxRadius, 1),
                  config.whole("values", 1, kMaxValues, 1),
                  readWord(config, "type", kNumberWords, ElementType::Float),
                  0,
                  config.real("cycles_per_point", 0, kMaxCyclesPerPoint, 0)};
  stencil.flops_per_point = config.whole("flops_per_point", 0, kStencilMostFlops,
                                         2 * stencil.values * termsOf(stencil, dims).size());
  return stencil;
}

/// Reads the parts of each dimension, `most` or fewer in all.
GridSizes readGrid(const ConfigReader& config, const char* key, std::size_t dims,
                   std::uint64_t most) {
  GridSizes grid = config.wholes(key, 1, most);
  if (grid.size() != dims) {
    throw config.error(key, fmt::format("{} numbers, as `points` has", dims));
  }
  if (productOf(grid) > most)
    throw config.error(key, fmt::format("at most {} parts, not {}", most, productOf(grid)));
  return grid;
}

GridCuts readCuts(const ConfigReader& config, const StencilTarget& target, const Stencil& stencil,
                  GridSizes points) {
  const std::size_t dims = points.size();
  GridCuts cuts{std::move(points), GridSizes(dims, 1), {}};
  cuts.ipus.back() = target.ipus;
  if (config.has("ipu_grid")) cuts.ipus = readGrid(config, "ipu_grid", dims, target.ipus);
  if (productOf(cuts.ipus) != target.ipus) {
    throw config.error("ipu_grid", fmt::format("a part for each of the {} IPUs", target.ipus));
  }
  GridSizes of_ipu = cuts.points;
  for (std::size_t d = 0; d < dims; ++d) of_ipu[d] /= cuts.ipus[d];
  cuts.tiles = config.has("tile_grid") ? readGrid(config, "tile_grid", dims, target.ipu.tiles)
                                       : bestTileGrid(of_ipu, target.ipu.tiles, stencil.radius);
  for (std::size_t d = 0; d < dims; ++d) {
    if (of_ipu[d] / cuts.tiles[d] >= stencil.radius) continue;
    const char* const key = config.has("tile_grid")  ? "tile_grid"
                            : config.has("ipu_grid") ? "ipu_grid"
                                                     : "points";
    throw config.error(key,
                       fmt::format("blocks at least as long as the radius, {} (dimension {} of "
                                   "an IPU has points: {}, tiles: {})",
                                   stencil.radius, d, of_ipu[d], cuts.tiles[d]));
  }
  return cuts;
}

/// Two steps, there and back, as often as needed, and one more for an odd number of steps.
Program stepsOf(const std::vector<Program>& there, const std::vector<Program>& back,
                std::uint64_t steps) {
  Program program;
  std::vector<Program> both = there;
  both.insert(both.end(), back.begin(), back.end());
  if (steps > 1) program.add(repeat(steps / 2, both));
  for (const Program& step : there) {
    if (steps % 2 == 1) program.add(step);
  }
  return program;
}

/// Throws where the FLOPs of all steps do not fit 63 bits.
void expectCountable(const ConfigReader& config, const GridSizes& points, const Stencil& stencil,
                     std::uint64_t steps) {
  const double flops = static_cast<double>(productOf(points)) *
                       static_cast<double>(stencil.flops_per_point) * static_cast<double>(steps);
  if (flops < 9e18) return;
  throw config.error("steps", "fewer steps: all points of all steps have at most 9e18 FLOP");
}

BuiltWorkload build(const ConfigReader& config, const StencilTarget& target) {
  GridSizes points = readPoints(config);
  const std::size_t dims = points.size();
  const Stencil stencil = readStencil(config, dims);
  const std::uint64_t steps = config.whole("steps", 1, kMostStencilSteps, 1);
  expectCountable(config, points, stencil, steps);
  const auto grid = std::make_shared<const StencilGrid>(
      readCuts(config, target, stencil, std::move(points)), target.ipu.tiles);
  GridSizes workers;
  if (config.has("worker_grid")) {
    workers = readGrid(config, "worker_grid", dims, target.ipu.workers_per_tile);
  }

  BuiltWorkload built;
  Graph& graph = built.graph;
  const HaloGrid a = addHaloGrid(graph, *grid, stencil, "a");
  const HaloGrid b = addHaloGrid(graph, *grid, stencil, "b");
  const std::uint64_t tile_workers = target.ipu.workers_per_tile;
  const auto step = [&](const HaloGrid& from, const HaloGrid& to, const char* name) {
    return std::vector<Program>{
        exchangeHalos(graph, *grid, from, stencil),
        computeStep(graph, *grid, stencil, {from, to, workers, tile_workers}, name)};
  };
  built.program = stepsOf(step(a, b, "a_to_b"), step(b, a, "b_to_a"), steps);
  built.flops = Flops(productOf(grid->points()) * stencil.flops_per_point * steps);
  const HaloGrid& last = steps % 2 == 1 ? b : a;
  built.host = [=] {
    return HostTensors{{{"a", a.all}, {"b", b.all}},
                       {{"result", innerPoints(last, stencil.radius)}}};
  };
  // A step adds up its terms in floats, whose weights add up to 1, and rounds the sum to the type
  // of the grid.
  const double stored = stencil.type == ElementType::Half ? unitOf(ElementType::Half) : 0;
  const double terms = static_cast<double>(termsOf(stencil, dims).size());
  const double rounding =
      static_cast<double>(steps) * (stored + terms * unitOf(ElementType::Float));
  built.reference =
      Reference{[=](const std::vector<TensorValues>& inputs) {
                  return Expected({stencilSteps(*grid, stencil, steps, inputs[0], inputs[1])});
                },
                rounding};
  return built;
}

}  // namespace

BuiltWorkload buildStencil(const ConfigReader& config, const System& system) {
  return build(config, {system.ipus, system.ipu});
}

}  // namespace ipusim::workloads
