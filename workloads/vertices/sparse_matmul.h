// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/ipu/cost/popsparse_elementwise.h"
#include "workloads/graph/codelet.h"

namespace ipusim::workloads {

/// A block of a sparse matrix, counted in blocks.
struct BlockPosition {
  std::uint32_t row;
  std::uint32_t column;

  friend bool operator==(const BlockPosition& a, const BlockPosition& b) {
    return a.row == b.row && a.column == b.column;
  }
  friend bool operator<(const BlockPosition& a, const BlockPosition& b) {
    return a.row != b.row ? a.row < b.row : a.column < b.column;
  }
};

/// What one tile multiplies: blocks of a sparse matrix and the rows of the dense operand beside it.
struct SparseTile {
  models::ElementType inputs;
  models::ElementType partials;
  std::uint64_t block;
  std::uint64_t out_rows;  ///< of the result, in blocks
  std::uint64_t in_rows;   ///< of the dense operand, in blocks
  std::uint64_t columns;   ///< of the dense operand
  /// Row in the result and in the dense operand (as column), by row; at least one.
  std::vector<BlockPosition> blocks;
};

/// popsparse SparseDenseMatMulElementWise and SparseDenseMatMulBlock: sparse times dense, the
/// result cleared first.
///
/// Fields, with block size b and z columns:
///   0 "values"  one edge of blocks * b * b: a block's rows one after the other
///   1 "dense"   one edge of in_rows * z * b: [row][column][b]
///   2 "out"     one edge of out_rows * z * b: [row][column][b]
/// Sums are held in float and stored once a row.
class SparseDenseMatMul : public Codelet {
 public:
  [[nodiscard]] models::VertexKind kind() const override { return models::VertexKind::Supervisor; }
  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] Bytes stateBytes() const override;
  /// The meta-information: where rows and non-zeros are, in 16-bit entries.
  [[nodiscard]] Bytes fieldDataBytes() const override;
  [[nodiscard]] Flops flops() const override;
  void compute(const VertexData& data) const override;

 protected:
  explicit SparseDenseMatMul(SparseTile tile);
  [[nodiscard]] const SparseTile& tile() const { return tile_; }
  /// Rows that have blocks, dealt out in order so that each worker has about as many blocks.
  [[nodiscard]] std::vector<models::SparseRows> deal(std::uint64_t workers) const;
  [[nodiscard]] Cycles clearCycles(const models::Machine& machine) const;
  [[nodiscard]] std::string typeNames() const;

 private:
  SparseTile tile_;
  std::vector<std::uint64_t> row_sizes_;  ///< blocks of each row that has any
  std::vector<Field> fields_;
};

/// Blocks of one element: scalar code on all workers, for float and half.
class SparseDenseMatMulElementWise : public SparseDenseMatMul {
 public:
  explicit SparseDenseMatMulElementWise(SparseTile tile) : SparseDenseMatMul(std::move(tile)) {}
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes codeBytes() const override;
};

/// Blocks of 4, 8 or 16: each is loaded into the matrix engines.
class SparseDenseMatMulBlock : public SparseDenseMatMul {
 public:
  explicit SparseDenseMatMulBlock(SparseTile tile) : SparseDenseMatMul(std::move(tile)) {}
  [[nodiscard]] std::string name() const override;
  [[nodiscard]] Cycles cycles(const models::Machine& machine) const override;
  [[nodiscard]] Bytes codeBytes() const override;
};

std::shared_ptr<const Codelet> makeSparseMatMul(SparseTile tile);

}  // namespace ipusim::workloads
