// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/gather/column_blocks.h"

#include <utility>

#include "ipusim/error.h"

namespace ipusim::workloads {

Tensor rowsOfBlock(const Tensor& storage, const RowsOfColumns& part) {
  check(storage.shape().size() == 1 && storage.pieces().size() == 1, "storage in one piece");
  const auto& [all_rows, rows, columns] = part;
  const Tensor::Piece& piece = storage.pieces().front();
  const VariableElements stride(piece.stride.front());
  Section section{
      piece.variable,
      {piece.offset + stride * (all_rows * columns.begin + rows.begin * columns.size())}};
  section.walk.levels.push_back({rows.size(), stride * columns.size()});
  section.walk.levels.push_back({columns.size(), stride});
  return {section, storage.type()};
}

ColumnBlocks::ColumnBlocks(std::uint64_t rows, std::vector<Range> columns)
    : rows_(rows), columns_(std::move(columns)) {}

Tensor ColumnBlocks::block(const Tensor& storage, std::size_t p) const {
  return rowsOfBlock(storage, {rows_, {0, rows_}, columns_[p]});
}

Tensor ColumnBlocks::matrix(const Tensor& storage) const {
  std::vector<Tensor> blocks;
  blocks.reserve(columns_.size());
  for (std::size_t p = 0; p < columns_.size(); ++p) {
    if (columns_[p].size() > 0) blocks.push_back(block(storage, p));
  }
  return concat(blocks, 1);
}

}  // namespace ipusim::workloads
