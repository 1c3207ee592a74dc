// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workloads/networks/low_rank.h"
#include "workloads/ops/gather/bags.h"

namespace ipusim::workloads {

/// y = W x + low rank x + b. W has blocks where the mask has a one.
struct PixelflyShape {
  std::uint64_t features;
  std::uint64_t butterfly_size;     ///< the resolution of the mask: a power of two
  std::uint64_t block;              ///< rows and columns of a block
  std::uint64_t rank;               ///< rank of the low-rank part
  BagSum block_sum = BagSum::Bags;  ///< how products are summed to blocks of the result
  MatmulProblem options = {};       ///< options of the products, without their sizes
};

/// An option with a wrong value.
struct OptionFault {
  std::string key;
  std::string wanted;
};

/// The option that keeps `shape` from having a mask with equally many blocks in each row and
/// column, if there is one.
std::optional<OptionFault> pixelflyFault(const PixelflyShape& shape);

/// One entry per row of blocks: the numbers of the columns in which the mask has a block. The mask
/// has butterfly_size x butterfly_size cells; cell (i, j) is one when i = j, or when i and j differ
/// in one bit. The mask is stretched to all features, and a block counts when any of its elements
/// is one. Throws InternalError for a shape with a fault.
std::vector<std::vector<std::uint64_t>> pixelflyBlocks(const PixelflyShape& shape);

/// For each block of the result, the rows of products that it sums, in the order of BagSteps. Row
/// i of the products belongs to the slot i % n of the column i / n, with n blocks in a column.
std::vector<std::uint64_t> pixelflyRows(const std::vector<std::vector<std::uint64_t>>& blocks,
                                        BagSum sum);

/// A pixelfly layer, with the op sequence that the vendor's front end runs for the PyTorch code.
/// Each block of x is multiplied by the blocks of its column. A look-up brings the products to the
/// rows in which they are summed. A low-rank layer stands beside this. Parameters: "blocks",
/// (columns of blocks, blocks of a column * block, block), and those of the low-rank layer.
/// Source: T. Dao et al., Pixelated Butterfly; HazyResearch/fly.
class PixelflyLayer : public Layer {
 public:
  PixelflyLayer(const LayerSite& site, const PixelflyShape& shape);

  Tensor forward(const Tensor& x, Lifetime result, Program& program) override;
  std::vector<Tensor> backward(const Tensor& gradient, Program& program) override;
  [[nodiscard]] Values reference(const std::vector<Values>& parameters,
                                 const Values& x) const override;
  [[nodiscard]] Flops forwardFlops() const override;

  /// The products of the forward pass.
  [[nodiscard]] std::vector<MatmulProblem> problems() const;

 private:
  /// The number of rows of blocks, and of columns.
  [[nodiscard]] std::uint64_t lines() const { return shape_.features / shape_.block; }
  /// The number of blocks in a row or column.
  [[nodiscard]] std::uint64_t active() const { return blocks_.front().size(); }
  /// The number of elements of a block of the result.
  [[nodiscard]] std::uint64_t rowElements() const { return shape_.block * site_.batch; }

  /// Sums the products, (columns, batch, blocks of a column * block), to (rows of blocks, row
  /// elements).
  Tensor sumBlocks(const Tensor& products, Program& program);
  BagSteps bags(Program& program);

  PixelflyShape shape_;
  std::vector<std::vector<std::uint64_t>> blocks_;
  LowRankLayer low_rank_;
  MatmulProblem problem_;
  MatmulOp product_;
  Tensor indices_;  ///< the rows of products that blocks of the result sum: bag by bag, or one of
                    ///< each bag at a time
  Tensor x_;
};

}  // namespace ipusim::workloads
