// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/sparse/layout.h"

#include <functional>

namespace ipusim::workloads {

namespace {

std::uint64_t sizeAt(const std::vector<std::uint64_t>& cuts, std::uint64_t index) {
  return cuts[index + 1] - cuts[index];
}

/// Chunk (z, row part) of a matrix that is stored chunk by chunk. All chunks of earlier z come
/// before it.
Tensor chunkOf(const Tensor& storage, const std::vector<std::uint64_t>& row_cuts, std::uint64_t row,
               const std::vector<std::uint64_t>& column_cuts, std::uint64_t z) {
  const std::uint64_t column_size = storage.elements() / column_cuts.back();
  const std::uint64_t row_size = column_size / row_cuts.back();  // elements of a row of blocks
  const std::uint64_t width = sizeAt(column_cuts, z);
  const std::uint64_t begin = column_cuts[z] * column_size + row_cuts[row] * row_size * width;
  return storage.slice(begin, begin + sizeAt(row_cuts, row) * row_size * width, 0);
}

/// Spreads a chunk over `count` tiles in grains.
void spread(Graph& graph, const Tensor& chunk, std::uint64_t grain, std::uint64_t count,
            const std::function<TileId(std::uint64_t)>& tile) {
  const std::uint64_t grains = chunk.elements() / grain;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::uint64_t begin = grains * i / count * grain;
    const std::uint64_t end = grains * (i + 1) / count * grain;
    if (begin != end) graph.setTileMapping(chunk.slice(begin, end, 0), tile(i));
  }
}

}  // namespace

SparseLayout::SparseLayout(const SparseProblem& problem, const SparseSplits& splits)
    : partition_(cutProduct(problem, splits)),
      splits_(splits),
      block_(problem.pattern.block),
      inner_elements_(problem.pattern.columns),
      column_elements_(problem.columns),
      parts_(blocksOfParts(problem.pattern, partition_)),
      value_offsets_{0} {
  for (const auto& part : parts_) {
    value_offsets_.push_back(value_offsets_.back() + part.size() * block_ * block_);
  }
}

TileId SparseLayout::tile(const SparseIndex& part) const {
  // Row parts take equal dense rows, so they are neighbours, which share a bus.
  return TileId(
      static_cast<std::uint32_t>((part.z * splits_.inner + part.y) * splits_.rows + part.x));
}

std::uint64_t SparseLayout::rows(std::uint64_t x) const {
  return sizeAt(partition_.rows, x);
}

std::uint64_t SparseLayout::inner(std::uint64_t y) const {
  return sizeAt(partition_.inner, y);
}

std::uint64_t SparseLayout::columns(std::uint64_t z) const {
  return sizeAt(partition_.columns, z);
}

Tensor SparseLayout::values(const Tensor& storage, std::uint64_t x, std::uint64_t y) const {
  const std::uint64_t part = x * splits_.inner + y;
  return storage.slice(value_offsets_[part], value_offsets_[part + 1], 0);
}

Tensor SparseLayout::dense(const Tensor& storage, std::uint64_t y, std::uint64_t z) const {
  return chunkOf(storage, partition_.inner, y, partition_.columns, z);
}

Tensor SparseLayout::result(const Tensor& storage, std::uint64_t x, std::uint64_t z) const {
  return chunkOf(storage, partition_.rows, x, partition_.columns, z);
}

Tensor SparseLayout::addValues(Graph& graph, ElementType type, const std::string& name) const {
  Tensor storage = graph.addVariable(type, {value_offsets_.back()}, name, Lifetime::Always);
  for (std::uint64_t x = 0; x < splits_.rows; ++x) {
    for (std::uint64_t y = 0; y < splits_.inner; ++y) {
      spread(graph, values(storage, x, y), block_ * block_, splits_.columns, [&](std::uint64_t z) {
        return tile({x, y, z});
      });
    }
  }
  return storage;
}

Tensor SparseLayout::addDense(Graph& graph, ElementType type, const std::string& name) const {
  Tensor storage =
      graph.addVariable(type, {inner_elements_ * column_elements_}, name, Lifetime::Always);
  graph.setShape(storage, {inner_elements_, column_elements_});
  for (std::uint64_t z = 0; z < splits_.columns; ++z) {
    for (std::uint64_t y = 0; y < splits_.inner; ++y) {
      spread(graph, dense(storage, y, z), columns(z) * block_, splits_.rows, [&](std::uint64_t x) {
        return tile({x, y, z});
      });
    }
  }
  return storage;
}

std::vector<std::uint64_t> SparseLayout::valueSources() const {
  std::vector<std::uint64_t> sources;
  sources.reserve(value_offsets_.back());
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const std::uint64_t first_row = partition_.rows[p / splits_.inner];
    const std::uint64_t first_column = partition_.inner[p % splits_.inner];
    for (const BlockPosition& block : parts_[p]) {
      for (std::uint64_t e = 0; e < block_ * block_; ++e) {
        const std::uint64_t row = (first_row + block.row) * block_ + e / block_;
        const std::uint64_t column = (first_column + block.column) * block_ + e % block_;
        sources.push_back(row * inner_elements_ + column);
      }
    }
  }
  return sources;
}

std::vector<std::uint64_t> SparseLayout::chunkSources(
    const std::vector<std::uint64_t>& row_cuts) const {
  std::vector<std::uint64_t> sources;
  sources.reserve(row_cuts.back() * block_ * column_elements_);
  for (std::uint64_t z = 0; z < splits_.columns; ++z) {
    // The chunks of one z follow each other, and so do their rows.
    for (std::uint64_t row = 0; row < row_cuts.back(); ++row) {
      for (std::uint64_t e = 0; e < columns(z) * block_; ++e) {
        sources.push_back((row * block_ + e % block_) * column_elements_ + partition_.columns[z] +
                          e / block_);
      }
    }
  }
  return sources;
}

std::vector<std::uint64_t> SparseLayout::denseSources() const {
  return chunkSources(partition_.inner);
}

std::vector<std::uint64_t> SparseLayout::resultSources() const {
  return chunkSources(partition_.rows);
}

}  // namespace ipusim::workloads
