// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/pooling/pooling.h"

#include <algorithm>
#include <map>
#include <numeric>

#include "workloads/ops/placement/ranges.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

namespace {

using models::PoolingVertex;

/// The blocks of all tiles, with the last dimension fastest.
class PoolGrid {
 public:
  PoolGrid(const PoolWindow& window, const PoolPlan& plan, PoolingDirection direction)
      : window_(window), direction_(direction) {
    const bool goes_forward = direction == PoolingDirection::Forward;
    const Shape& results = goes_forward ? window.positions : window.field;
    const std::uint64_t planes = window.samples * window.channels / plan.channels;
    ranges_.push_back(evenRanges(planes, plan.parts[0]));
    for (std::size_t d = 0; d < results.size(); ++d) {
      ranges_.push_back(evenRanges(results[d], plan.parts[d + 1]));
    }
  }

  [[nodiscard]] std::uint64_t tiles() const {
    std::uint64_t tiles = 1;
    for (const auto& ranges : ranges_) tiles *= ranges.size();
    return tiles;
  }

  [[nodiscard]] TileBlock block(std::uint64_t tile) const {
    TileBlock found{std::vector<Range>(ranges_.size()), {}, {}};
    for (std::size_t d = ranges_.size(); d-- > 0; tile /= ranges_[d].size()) {
      found.results[d] = ranges_[d][tile % ranges_[d].size()];
    }
    found.operands.push_back(found.results[0]);
    found.block.direction = direction_;
    found.block.window = window_.window;
    found.block.stride = window_.stride;
    found.block.dilation = window_.dilation;
    for (std::size_t d = 0; d < window_.field.size(); ++d) addDimension(d, found);
    return found;
  }

  /// The tensor of all tiles' results: (planes, results..., channels of a plane).
  [[nodiscard]] Tensor joined(const std::vector<Tensor>& of_tiles) const {
    std::vector<Tensor> level = of_tiles;
    for (std::size_t d = ranges_.size(); d-- > 0;) {
      const std::size_t parts = ranges_[d].size();
      std::vector<Tensor> next;
      for (std::size_t first = 0; first < level.size(); first += parts) {
        const auto begin = level.begin() + static_cast<std::ptrdiff_t>(first);
        next.push_back(concat({begin, begin + static_cast<std::ptrdiff_t>(parts)}, d));
      }
      level = std::move(next);
    }
    return level.front();
  }

 private:
  void addDimension(std::size_t d, TileBlock& tile) const {
    const Range& results = tile.results[d + 1];
    const bool goes_forward = direction_ == PoolingDirection::Forward;
    const Range field = goes_forward ? fieldOf(d, results) : results;
    const Range positions = goes_forward ? results : positionsOf(d, results);
    tile.operands.push_back(goes_forward ? field : positions);
    tile.block.field.push_back(field.size());
    tile.block.positions.push_back(positions.size());
    tile.block.offset.push_back(window_.padding[d] + field.begin -
                                positions.begin * window_.stride[d]);
  }

  [[nodiscard]] std::uint64_t reach(std::size_t d) const {
    return (window_.window[d] - 1) * window_.dilation[d];
  }

  /// The elements that windows at `positions` cover.
  [[nodiscard]] Range fieldOf(std::size_t d, const Range& positions) const {
    const std::uint64_t padding = window_.padding[d];
    const std::uint64_t first = positions.begin * window_.stride[d];
    const std::uint64_t end = (positions.end - 1) * window_.stride[d] + reach(d) + 1;
    const std::uint64_t begin =
        std::min(first > padding ? first - padding : 0, window_.field[d] - 1);
    return {begin,
            std::max(begin + 1, std::min(end > padding ? end - padding : 0, window_.field[d]))};
  }

  /// The positions whose windows cover any of `field`; at least one.
  [[nodiscard]] Range positionsOf(std::size_t d, const Range& field) const {
    const std::uint64_t first = field.begin + window_.padding[d];
    const std::uint64_t begin = std::min(
        (first > reach(d) ? first - reach(d) : 0) / window_.stride[d], window_.positions[d] - 1);
    const std::uint64_t last = (field.end - 1 + window_.padding[d]) / window_.stride[d];
    return {begin, std::max(begin + 1, std::min(last + 1, window_.positions[d]))};
  }

  const PoolWindow& window_;
  PoolingDirection direction_;
  std::vector<std::vector<Range>> ranges_;
};

Tensor sliced(Tensor tensor, const std::vector<Range>& box) {
  for (std::size_t d = 0; d < box.size(); ++d) tensor = tensor.slice(box[d].begin, box[d].end, d);
  return tensor;
}

/// (samples, channels, field...) as (planes, field..., channels of a plane).
Tensor planesOf(const Tensor& tensor, std::uint64_t channels) {
  const Shape& shape = tensor.shape();
  Shape split{shape[0], shape[1] / channels, channels};
  split.insert(split.end(), shape.begin() + 2, shape.end());
  std::vector<std::size_t> order{0, 1};
  for (std::size_t d = 3; d < split.size(); ++d) order.push_back(d);
  order.push_back(2);
  Shape planes{shape[0] * split[1]};
  planes.insert(planes.end(), shape.begin() + 2, shape.end());
  planes.push_back(channels);
  return tensor.reshape(split).dimShuffle(order).reshape(planes);
}

/// The way back.
Tensor channelsOf(const Tensor& planes, const Shape& shape, std::uint64_t channels) {
  Shape split{shape[0], shape[1] / channels};
  split.insert(split.end(), shape.begin() + 2, shape.end());
  split.push_back(channels);
  std::vector<std::size_t> order{0, 1, split.size() - 1};
  for (std::size_t d = 2; d + 1 < split.size(); ++d) order.push_back(d);
  return planes.reshape(split).dimShuffle(order).reshape(shape);
}

using Boxes = std::vector<std::vector<Range>>;

/// Adds a variable with one block per tile. Each block is the elements of a box: (planes, field...,
/// channels of a plane).
std::vector<Tensor> addBlocks(Graph& graph, ElementType type, const Boxes& boxes,
                              std::uint64_t channels, const OpResult& variable) {
  std::vector<Shape> shapes;
  std::uint64_t elements = 0;
  for (const std::vector<Range>& box : boxes) {
    Shape& shape = shapes.emplace_back();
    for (const Range& range : box) shape.push_back(range.size());
    shape.push_back(channels);
    elements += elementsOf(shape);
  }
  const Tensor all = graph.addVariable(type, {elements}, variable.name, variable.lifetime);
  std::vector<Tensor> blocks;
  std::uint64_t begin = 0;
  for (std::size_t tile = 0; tile < shapes.size(); ++tile) {
    const std::uint64_t end = begin + elementsOf(shapes[tile]);
    const Tensor block = all.slice(begin, end, 0);
    graph.setTileMapping(block, TileId(static_cast<std::uint32_t>(tile)));
    blocks.push_back(block.reshape(shapes[tile]));
    begin = end;
  }
  return blocks;
}

Boxes boxesOf(const std::vector<TileBlock>& tiles, bool is_result_side) {
  Boxes boxes;
  boxes.reserve(tiles.size());
  for (const TileBlock& tile : tiles) {
    boxes.push_back(is_result_side ? tile.results : tile.operands);
  }
  return boxes;
}

/// In what vertices of one pooling differ.
using BlockSizes = std::vector<std::vector<std::uint64_t>>;

}  // namespace

Tensor PoolingSteps::addMaximum(const Tensor& x) {
  PoolingVertexShape shape{};
  shape.vertex = PoolingVertex::Max;
  shape.block.direction = PoolingDirection::Forward;
  return add(shape, {{x, false}});
}

Tensor PoolingSteps::addMaximumGradient(const Tensor& x, const Tensor& y, const Tensor& gradient) {
  PoolingVertexShape shape{};
  shape.vertex = PoolingVertex::MaxGradient;
  shape.block.direction = PoolingDirection::Backward;
  return add(shape, {{x, true}, {y, false}, {gradient, false}});
}

Tensor PoolingSteps::addSum(const Tensor& operand, PoolingDirection direction, double factor) {
  PoolingVertexShape shape{};
  shape.vertex = PoolingVertex::Sum;
  shape.block.direction = direction;
  shape.scale = static_cast<float>(factor);
  return add(shape, {{operand, false}});
}

Tensor PoolingSteps::add(PoolingVertexShape shape, const std::vector<PoolingOperand>& operands) {
  const PoolPlan plan = planPooling(machine_, window_, shape.vertex, shape.block.direction);
  const PoolGrid grid(window_, plan, shape.block.direction);
  std::vector<TileBlock> tiles;
  for (std::uint64_t tile = 0; tile < grid.tiles(); ++tile) tiles.push_back(grid.block(tile));

  std::vector<std::vector<Tensor>> fields;
  Boxes boxes = boxesOf(tiles, true);
  const OpResult out{result_.name + "/Out", result_.lifetime};
  fields.push_back(addBlocks(graph_, window_.type, boxes, plan.channels, out));
  std::vector<CopyPair> pairs;
  for (const PoolingOperand& operand : operands) {
    boxes = boxesOf(tiles, operand.is_result_side);
    fields.push_back(addBlocks(graph_, window_.type, boxes, plan.channels, {result_.name + "/In"}));
    const Tensor planes = planesOf(operand.tensor, plan.channels);
    for (std::size_t tile = 0; tile < boxes.size(); ++tile) {
      pairs.push_back({sliced(planes, boxes[tile]), fields.back()[tile]});
    }
  }
  program_.add(graph_.copy(pairs, result_.name + "/In"));
  shape.type = window_.type;
  shape.channels = plan.channels;
  addVertices(shape, tiles, fields);
  Shape joined{window_.samples, window_.channels};
  const Shape& side =
      shape.block.direction == PoolingDirection::Forward ? window_.positions : window_.field;
  joined.insert(joined.end(), side.begin(), side.end());
  return channelsOf(grid.joined(fields.front()), joined, plan.channels);
}

/// Adds a vertex on each tile. `fields` has the blocks of each field.
void PoolingSteps::addVertices(PoolingVertexShape shape, const std::vector<TileBlock>& tiles,
                               const std::vector<std::vector<Tensor>>& fields) {
  const ComputeSetId compute_set = graph_.addComputeSet(result_.name + "/Pool");
  TypeCache<BlockSizes> types;
  for (std::size_t tile = 0; tile < tiles.size(); ++tile) {
    shape.block = tiles[tile].block;
    shape.planes = tiles[tile].results.front().size();
    const BlockSizes key{
        {shape.planes}, shape.block.field, shape.block.positions, shape.block.offset};
    VertexFamily family{types.get(key, [&] { return poolingVertex(shape); }),
                        TileId(static_cast<std::uint32_t>(tile)),
                        1,
                        {}};
    for (const std::vector<Tensor>& blocks : fields) family.fields.push_back({blocks[tile].view()});
    graph_.addVertices(compute_set, std::move(family));
  }
  program_.add(execute(compute_set));
}

}  // namespace ipusim::workloads
