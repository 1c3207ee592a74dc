// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/butterfly/fused_butterfly.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>

#include "models/ipu/cost/exchange/exchange.h"
#include "models/ipu/cost/products/butterfly.h"
#include "workloads/vertices/user/custom.h"

namespace ipusim::workloads {

namespace {

/// Lines, partners and results of a stage are in memory together.
constexpr std::uint64_t kBuffers = 3;
/// The share of a tile's memory that lines and twiddles may take; code and stack take the rest.
constexpr std::uint64_t kMemoryPercent = 85;

bool isLocal(const ButterflyGrid& grid, std::uint64_t stride) {
  return 2 * stride <= grid.featuresOfPart();
}

/// The 2 x 2 twiddles of a stage that a part of the features needs. They are consecutive.
struct TwiddleRange {
  std::uint64_t begin;  ///< in the stage
  std::uint64_t count;
};

TwiddleRange twiddlesOf(const ButterflyGrid& grid, const ButterflyShape& shape, std::uint64_t part,
                        std::uint64_t stride) {
  const std::uint64_t features = grid.featuresOfPart();
  const std::uint64_t first = part * features;
  const bool tied = shape.twiddles == Twiddles::Tied;
  if (isLocal(grid, stride)) {
    return tied ? TwiddleRange{0, stride} : TwiddleRange{first / 2, features / 2};
  }
  const std::uint64_t block = tied ? 0 : first / (2 * stride) * stride;
  return {block + first % stride, features};
}

struct Estimate {
  Cycles cycles;
  Bytes tile_bytes;
};

Estimate estimate(const Architecture& machine, const ButterflyGrid& grid,
                  const ButterflyShape& shape, ElementType type) {
  const std::uint64_t features = grid.featuresOfPart();
  const std::uint64_t rows = ceilDiv(grid.batch, grid.row_parts);
  const Bytes lines = sizeOf(type) * (features * rows);
  Estimate sum{Cycles(0), kBuffers * lines};
  Bytes twiddles(0);
  for (const std::uint64_t stride : stridesOf(shape)) {
    twiddles += sizeOf(type) * (4 * twiddlesOf(grid, shape, 0, stride).count);
    if (isLocal(grid, stride)) {
      sum.cycles += models::butterflyPairCycles(machine, {type, features / 2, rows});
      continue;
    }
    sum.cycles += models::butterflyHalfCycles(machine, {type, features, rows}) +
                  models::exchangePhaseOverhead(machine) +
                  cyclesFor(lines, machine.fabric.exchange_rate);
  }
  sum.tile_bytes += twiddles;
  sum.cycles += cyclesFor(twiddles, machine.fabric.exchange_rate);
  return sum;
}

/// The stages of one butterfly whose lines lie as a grid says.
class Stages {
 public:
  Stages(Graph& graph, const ButterflyGrid& grid, const ButterflyShape& shape, std::string name)
      : graph_(graph), grid_(grid), shape_(shape), name_(std::move(name)) {}

  /// Adds the step that brings every tile its twiddles for all stages.
  void bringTwiddles(const Tensor& stored, Program& program) {
    const std::vector<std::uint64_t> strides = stridesOf(shape_);
    std::uint64_t of_tiles = 0;
    for (const std::uint64_t stride : strides) {
      of_tiles +=
          grid_.feature_parts * grid_.row_parts * 4 * twiddlesOf(grid_, shape_, 0, stride).count;
    }
    twiddles_ = graph_.addVariable(stored.type(), {of_tiles}, name_ + "/twiddles");
    const std::uint64_t tiles = grid_.feature_parts * grid_.row_parts;
    graph_.setShape(twiddles_, {tiles, of_tiles / (tiles * 4), 2, 2});
    const Tensor flat = stored.reshape({stored.elements()});
    std::vector<CopyPair> pairs;
    std::uint64_t next = 0;
    for (std::uint64_t f = 0; f < grid_.feature_parts; ++f) {
      for (std::uint64_t r = 0; r < grid_.row_parts; ++r) {
        const std::uint64_t begin = next;
        for (const std::uint64_t stride : strides) {
          const TwiddleRange range = twiddlesOf(grid_, shape_, f, stride);
          const std::uint64_t first = firstTwiddle(shape_, stride) + 4 * range.begin;
          const std::uint64_t count = 4 * range.count;
          pairs.push_back(
              {flat.slice(first, first + count, 0), twiddles_.slice(next, next + count, 0)});
          twiddle_offsets_[{f, r, stride}] = next;
          next += count;
        }
        graph_.setTileMapping(twiddles_.slice(begin, next, 0), tileOf(f, r));
      }
    }
    program.add(graph_.copy(pairs, name_ + "/Twiddles"));
  }

  /// Adds the stage of `stride`, from the variable `lines` to the variable `out`.
  void add(std::uint64_t stride, VariableId lines, VariableId out, Program& program) {
    const ComputeSetId compute_set =
        graph_.addComputeSet(name_ + "/stage" + std::to_string(stride));
    for (std::uint64_t f = 0; f < grid_.feature_parts; ++f) {
      for (std::uint64_t r = 0; r < grid_.row_parts; ++r) {
        const std::uint64_t rows = grid_.firstRow(r + 1) - grid_.firstRow(r);
        const std::uint64_t count = 4 * twiddlesOf(grid_, shape_, f, stride).count;
        const std::uint64_t twiddle = twiddle_offsets_.at({f, r, stride});
        std::vector<Connection> fields{{partOf(lines, f, r)},
                                       {twiddles_.flatView(twiddle, twiddle + count)},
                                       {partOf(out, f, r)}};
        ButterflyOutputs outputs = ButterflyOutputs::Both;
        if (!isLocal(grid_, stride)) {
          const std::uint64_t apart = stride / grid_.featuresOfPart();
          outputs = (f & apart) == 0 ? ButterflyOutputs::First : ButterflyOutputs::Second;
          fields.push_back({partOf(lines, f ^ apart, r)});
        }
        graph_.addVertices(compute_set,
                           {typeFor({stride, rows, outputs}), tileOf(f, r), 1, std::move(fields)});
      }
    }
    program.add(execute(compute_set));
  }

 private:
  struct Form {
    std::uint64_t stride;
    std::uint64_t rows;
    ButterflyOutputs outputs;

    friend bool operator<(const Form& a, const Form& b) {
      return std::tie(a.stride, a.rows, a.outputs) < std::tie(b.stride, b.rows, b.outputs);
    }
  };

  [[nodiscard]] TileId tileOf(std::uint64_t f, std::uint64_t r) const {
    return TileId(static_cast<std::uint32_t>(f * grid_.row_parts + r));
  }

  [[nodiscard]] View partOf(VariableId variable, std::uint64_t f, std::uint64_t r) const {
    const std::uint64_t features = grid_.featuresOfPart();
    const std::uint64_t first = grid_.firstRow(r);
    const std::uint64_t rows = grid_.firstRow(r + 1) - first;
    return {contiguous(variable, features * (f * grid_.batch + first), features * rows)};
  }

  std::shared_ptr<const VertexType> typeFor(const Form& form) {
    auto& type = types_[form];
    if (!type) {
      type = shared(
          butterflyStageVertex({twiddles_.type(), grid_.featuresOfPart(), form.rows, form.stride,
                                twiddlesOf(grid_, shape_, 0, form.stride).count, form.outputs}));
    }
    return type;
  }

  Graph& graph_;
  const ButterflyGrid& grid_;
  const ButterflyShape& shape_;
  std::string name_;
  Tensor twiddles_;
  std::map<std::tuple<std::uint64_t, std::uint64_t, std::uint64_t>, std::uint64_t> twiddle_offsets_;
  std::map<Form, std::shared_ptr<const VertexType>> types_;
};

}  // namespace

ButterflyGrid planButterfly(const Architecture& machine, const ButterflyShape& shape,
                            std::uint64_t batch, ElementType type) {
  const Bytes room(machine.sram_per_tile.value() * kMemoryPercent / 100);
  std::optional<ButterflyGrid> best;
  Estimate best_estimate{};
  for (std::uint64_t parts = 1; parts <= std::min<std::uint64_t>(shape.features, machine.tiles);
       parts *= 2) {
    const ButterflyGrid grid{shape.features, batch, parts, std::min(batch, machine.tiles / parts)};
    const Estimate now = estimate(machine, grid, shape, type);
    const bool fits = now.tile_bytes <= room;
    const bool best_fits = best && best_estimate.tile_bytes <= room;
    const bool better = fits == best_fits ? (fits ? now.cycles < best_estimate.cycles
                                                  : now.tile_bytes < best_estimate.tile_bytes)
                                          : fits;
    if (best && !better) continue;
    best = grid;
    best_estimate = now;
  }
  return *best;
}

Tensor addButterflyRows(Graph& graph, const ButterflyGrid& grid, ElementType type,
                        const OpResult& result) {
  const Tensor storage =
      graph.addVariable(type, {grid.features * grid.batch}, result.name, result.lifetime);
  graph.setShape(storage, {grid.batch, grid.features});
  const std::uint64_t features = grid.featuresOfPart();
  std::vector<Tensor> columns;
  for (std::uint64_t f = 0; f < grid.feature_parts; ++f) {
    std::vector<Tensor> parts;
    for (std::uint64_t r = 0; r < grid.row_parts; ++r) {
      const std::uint64_t begin = features * (f * grid.batch + grid.firstRow(r));
      const std::uint64_t end = features * (f * grid.batch + grid.firstRow(r + 1));
      const Tensor part = storage.slice(begin, end, 0);
      graph.setTileMapping(part, TileId(static_cast<std::uint32_t>(f * grid.row_parts + r)));
      parts.push_back(part.reshape({features, (end - begin) / features}).dimShuffle({1, 0}));
    }
    columns.push_back(concat(parts, 0));
  }
  return concat(columns, 1);
}

Tensor addFusedButterfly(Graph& graph, const ButterflyGrid& grid, const ButterflyOperands& operands,
                         const OpResult& result, Program& program) {
  Stages stages(graph, grid, operands.shape, result.name);
  stages.bringTwiddles(operands.twiddles, program);
  Tensor rows = operands.rows;
  const std::vector<std::uint64_t> strides = stridesOf(operands.shape);
  for (const std::uint64_t stride : strides) {
    const Lifetime lifetime = stride == strides.back() ? result.lifetime : Lifetime::Temporary;
    const Tensor out = addButterflyRows(
        graph, grid, rows.type(), {result.name + "/lines" + std::to_string(stride), lifetime});
    stages.add(stride, rows.pieces().front().variable, out.pieces().front().variable, program);
    rows = out;
  }
  return rows;
}

}  // namespace ipusim::workloads
