// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "ipusim/graph.h"
#include "models/ipu/cost/elementwise/binary_op.h"
#include "models/ipu/cost/reductions/reduce.h"

// Steps on matrices whose rows share a statistic, such as their sum.

namespace ipusim::workloads {

/// A matrix whose rows are cut into equal segments. Each segment is on one tile.
struct RowCut {
  std::uint64_t rows;
  std::uint64_t columns;
  std::uint64_t segments = 1;  ///< of a row

  [[nodiscard]] std::uint64_t length() const { return columns / segments; }
};

/// Rows are cut into their units of `unit` elements, which divides `columns`. Where these occupy
/// less than half of the tiles, units are cut until there is about one segment per worker, because
/// one tile alone would take long for a long row.
RowCut cutRows(const Architecture& machine, const RowCut& whole, std::uint64_t unit);

/// Adds steps on matrices that are cut alike and lie alike. They have one dimension, with row after
/// row. The arguments of the constructor must outlive this object.
class RowSteps {
 public:
  RowSteps(Graph& graph, const Architecture& machine, const RowCut& cut, Program& program)
      : graph_(graph), machine_(machine), cut_(cut), program_(program) {}

  [[nodiscard]] const RowCut& cut() const { return cut_; }

  /// Adds a matrix.
  Tensor addMatrix(ElementType type, const std::string& name,
                   Lifetime lifetime = Lifetime::Temporary);
  /// Adds a matrix that is a copy of `matrix`, (rows, columns) of any layout.
  Tensor bring(const Tensor& matrix, const std::string& name,
               Lifetime lifetime = Lifetime::Temporary);

  /// (rows * segments, length of a segment).
  [[nodiscard]] Tensor segmentsOf(const Tensor& matrix) const {
    return matrix.reshape({cut_.rows * cut_.segments, cut_.length()});
  }

  /// The sum or the maximum of each row, in the type of the matrix.
  Tensor sums(const Tensor& matrix, const std::string& name);
  Tensor maxima(const Tensor& matrix, const std::string& name);

  struct Reduction {
    Tensor matrix;
    models::ReduceOp op;  ///< Add or SquareAdd
  };
  /// Sums each segment, in one compute set for all reductions. One result per reduction, of floats:
  /// (rows * segments).
  std::vector<Tensor> sumSegments(const std::vector<Reduction>& reductions,
                                  const std::string& name);
  /// The sums of rows of partials, (sums, partials) of any layout and of one shape, in one compute
  /// set. The sums lie alike.
  std::vector<Tensor> sumPartials(const std::vector<Tensor>& partials, const std::string& name);

  /// A value per row becomes a value per segment of that row, at the segment.
  Tensor atSegments(const Tensor& vector, const std::string& name);
  /// A copy of `values`, which has a value per segment, at the segments.
  Tensor bringToSegments(const Tensor& values, const std::string& name);
  /// A matrix, and a value per segment.
  struct MatrixAndVector {
    Tensor matrix;  ///< takes the result
    Tensor vector;
  };
  void broadcast(models::BinaryOp op, const MatrixAndVector& operands, const std::string& name);

  /// Segments [first, first + count) of a matrix, which are on one tile.
  struct TileSegments {
    TileId tile;
    std::uint64_t first;
    std::uint64_t count;
  };
  [[nodiscard]] std::vector<TileSegments> segmentsByTile(const Tensor& matrix) const;

 private:
  Tensor reduced(models::ReduceOp op, const Tensor& matrix, const std::string& name);
  std::vector<Tensor> wholeRows(const std::vector<Tensor>& partials, const std::string& name);

  Graph& graph_;
  const Architecture& machine_;
  RowCut cut_;
  Program& program_;
  std::optional<Tensor> first_;  ///< matrix. Others lie like it.
};

}  // namespace ipusim::workloads
