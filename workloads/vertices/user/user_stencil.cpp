// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/user/user_stencil.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <utility>

#include "ipusim/error.h"
#include "models/ipu/cost/compiled.h"
#include "models/ipu/cost/workers.h"
#include "workloads/vertices/entries.h"
#include "workloads/vertices/number.h"
#include "workloads/vertices/params.h"

namespace ipusim::workloads {

namespace {

// Two pointers, the sizes of the block, the share of a worker and the weights' address.
constexpr Bytes kUserStencilStateBytes(40);
// Estimated: two copies of the loops, for the rows' ends and for pairs of points, at about twice
// the code of other small vertices (graphcore/popliner tests).
constexpr Bytes kUserStencilCodeBytes(500);
constexpr std::size_t kMaxDims = 3;
constexpr std::uint64_t kMaxRadius = 8;
constexpr std::uint64_t kMaxValues = 64;
constexpr double kMaxCyclesPerPoint = 1e6;

struct Shape {
  Stencil stencil;
  StencilBlock block;
};

std::uint64_t product(const GridSizes& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{1}, std::multiplies<>());
}

/// The sizes of the largest part of a block that one worker has.
GridSizes largestPart(const StencilBlock& block) {
  GridSizes part;
  for (std::size_t d = 0; d < block.points.size(); ++d) {
    part.push_back(ceilDiv(block.points[d], block.workers[d]));
  }
  return part;
}

Cycles userStencilCost(const Shape& shape, const Architecture& machine) {
  const auto& [stencil, block] = shape;
  const GridSizes part = largestPart(block);
  const std::uint64_t points = product(part);
  if (stencil.cycles_per_point > 0) {
    const double slots = stencil.cycles_per_point * static_cast<double>(points);
    return models::tileCyclesOf(machine, static_cast<std::uint64_t>(std::ceil(slots)));
  }
  const std::uint64_t terms = termsOf(stencil, part.size()).size();
  const std::uint64_t rows = points / part.back();
  const Cycles slots =
      models::compiledCycles(machine, {points * stencil.values * terms, rows * terms});
  return models::tileCyclesOf(machine, slots.value());
}

/// Calls `visit` with the index of each point of a block in the block with its halo.
template <typename Visit>
void forEachPoint(const GridSizes& points, std::uint64_t radius, const Visit& visit) {
  const GridSizes padded = paddedSizes(points, radius);
  GridSizes at(points.size(), 0);
  for (std::uint64_t n = product(points); n > 0; --n) {
    std::uint64_t index = 0;
    for (std::size_t d = 0; d < at.size(); ++d) index = index * padded[d] + at[d] + radius;
    visit(index);
    for (std::size_t d = at.size(); d-- > 0;) {
      if (++at[d] < points[d]) break;
      at[d] = 0;
    }
  }
}

/// Terms as distances in a block with its halo, in numbers.
std::vector<std::pair<std::int64_t, float>> distancesOf(const Shape& shape) {
  const auto& [stencil, block] = shape;
  const GridSizes padded = paddedSizes(block.points, stencil.radius);
  std::vector<std::pair<std::int64_t, float>> distances;
  for (const StencilTerm& term : termsOf(stencil, padded.size())) {
    std::int64_t distance = 0;
    for (std::size_t d = 0; d < padded.size(); ++d) {
      distance = distance * static_cast<std::int64_t>(padded[d]) + term.offset[d];
    }
    distances.emplace_back(distance * static_cast<std::int64_t>(stencil.values), term.weight);
  }
  return distances;
}

template <typename Number>
void computeBlock(const Shape& shape, const VertexData& data) {
  const auto distances = distancesOf(shape);
  const auto* in = data.as<Number>(0, 0);
  auto* out = data.as<Number>(1, 0);
  const std::uint64_t values = shape.stencil.values;
  forEachPoint(shape.block.points, shape.stencil.radius, [&](std::uint64_t point) {
    for (std::uint64_t v = 0; v < values; ++v) {
      const Number* center = in + point * values + v;
      float sum = 0;
      for (const auto& [distance, weight] : distances) {
        sum += weight * static_cast<float>(center[distance]);
      }
      out[point * values + v] = static_cast<Number>(sum);
    }
  });
}

void computeUserStencil(const Shape& shape, const VertexData& data) {
  withNumber(shape.stencil.type, [&](auto number) { computeBlock<decltype(number)>(shape, data); });
}

VertexType readUserStencil(const ConfigReader& config, const Architecture& machine) {
  Stencil stencil{readWord(config, "shape", kStencilWords),
                  config.whole("radius", 1, kMaxRadius, 1),
                  config.whole("values", 1, kMaxValues, 1),
                  readWord(config, "type", kNumberWords),
                  0,
                  config.real("cycles_per_point", 0, kMaxCyclesPerPoint, 0)};
  StencilBlock block{config.wholes("points", 1, kMaxElements), {}};
  const std::size_t dims = block.points.size();
  if (dims > kMaxDims) throw config.error("points", "at most three sizes");
  if (product(paddedSizes(block.points, stencil.radius)) > kMaxElements / stencil.values) {
    throw config.error("points", "a block that fits a tile");
  }
  block.workers = GridSizes(dims, 1);
  block.workers.front() = machine.workers_per_tile;
  if (config.has("workers")) block.workers = config.wholes("workers", 1, machine.workers_per_tile);
  if (block.workers.size() != dims || product(block.workers) > machine.workers_per_tile) {
    throw config.error("workers", "one number per size of `points`, for the workers of a tile");
  }
  stencil.flops_per_point = config.whole("flops_per_point", 0, kMaxElements,
                                         2 * stencil.values * termsOf(stencil, dims).size());
  return userStencilVertex(stencil, block);
}

}  // namespace

GridSizes paddedSizes(const GridSizes& points, std::uint64_t radius) {
  GridSizes padded = points;
  for (std::uint64_t& size : padded) size += 2 * radius;
  return padded;
}

std::vector<StencilTerm> termsOf(const Stencil& stencil, std::size_t dims) {
  const auto radius = static_cast<std::int64_t>(stencil.radius);
  std::vector<StencilTerm> terms;
  std::vector<std::int64_t> offset(dims, -radius);
  for (bool more = true; more;) {
    const auto away = std::count_if(offset.begin(), offset.end(), [](auto o) { return o != 0; });
    if (stencil.shape == StencilShape::Box || away <= 1) terms.push_back({offset, 0});
    more = false;
    for (std::size_t d = dims; d-- > 0 && !more;) {
      more = offset[d] < radius;
      offset[d] = more ? offset[d] + 1 : -radius;
    }
  }
  const auto count = static_cast<float>(terms.size());
  for (std::size_t t = 0; t < terms.size(); ++t) {
    terms[t].weight = static_cast<float>(t + 1) * 2 / (count * (count + 1));
  }
  return terms;
}

VertexType userStencilVertex(const Stencil& stencil, const StencilBlock& block) {
  check(product(block.points) > 0 && block.workers.size() == block.points.size(),
        "a stencil on nothing, or workers of another block");
  const std::uint64_t numbers = product(paddedSizes(block.points, stencil.radius)) * stencil.values;
  VertexType type;
  type.name = std::string("CompiledStencil<") + nameOf(stencil.type) + ">";
  type.maker = kUserStencilEntry.name;
  type.params = {{"shape", wordOf(stencil.shape, kStencilWords)},
                 {"radius", stencil.radius},
                 {"values", stencil.values},
                 {"type", wordOf(stencil.type, kNumberWords)},
                 {"cycles_per_point", stencil.cycles_per_point},
                 {"points", block.points},
                 {"workers", block.workers},
                 {"flops_per_point", stencil.flops_per_point}};
  type.origin = Origin::User;
  type.kind = VertexKind::Supervisor;
  type.fields = {{"in", FieldDirection::Input, stencil.type, {{1, numbers}}},
                 {"out", FieldDirection::InOut, stencil.type, {{1, numbers}}}};
  type.sizes = {kUserStencilStateBytes, Bytes(0), kUserStencilCodeBytes};
  const std::uint64_t points = product(block.points);
  const Bytes moved = points * stencil.values * sizeOf(stencil.type);
  const std::uint64_t terms = termsOf(stencil, block.points.size()).size();
  type.work = {Flops(points * stencil.flops_per_point), terms * moved, moved};
  // A sum of weighted terms is multiply-adds. Of other work at a point, only its amount is known.
  if (stencil.flops_per_point == 2 * stencil.values * terms) {
    type.work = allMacs(type.work, stencil.type);
  }
  return withFunctions<Shape>(std::move(type), {stencil, block},
                              {userStencilCost, computeUserStencil});
}

const VertexEntry kUserStencilEntry{"user_stencil",
                                    "a step of a stencil in a user's C++, on a block with its "
                                    "halo: shape, radius, values, type, points, workers, "
                                    "flops_per_point, cycles_per_point",
                                    readUserStencil};

}  // namespace ipusim::workloads
