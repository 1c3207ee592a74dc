// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workloads/networks/low_rank.h"

namespace ipusim::workloads {

/// How the products of blocks are added up to blocks of the result.
enum class BlockSum : std::uint8_t {
  Bags,       ///< a look-up and a sum for each block of the result: embedding_bag unrolled
  OneGather,  ///< one look-up for all, and one sum
};

/// y = W x + low rank x + b: W has blocks where the mask has a one.
struct PixelflyShape {
  std::uint64_t features;
  std::uint64_t butterfly_size;  ///< the mask's resolution: a power of two
  std::uint64_t block;           ///< rows and columns of a block
  std::uint64_t rank;            ///< of the low-rank part
  BlockSum block_sum = BlockSum::Bags;
  MatmulProblem options = {};  ///< of the products: all but their sizes
};

/// What is wrong with an option.
struct OptionFault {
  std::string key;
  std::string wanted;
};

/// What keeps `shape` from having a mask with as many blocks in each row and column, if anything.
std::optional<OptionFault> pixelflyFault(const PixelflyShape& shape);

/// A row of blocks each: the columns of blocks that the mask has, by number. Of the mask of
/// butterfly_size x butterfly_size, (i, j) is one where i = j, or i and j differ in one bit; it is
/// stretched to all features, and a block is taken where any of its elements is. Throws
/// InternalError for a shape with a fault.
std::vector<std::vector<std::uint64_t>> pixelflyBlocks(const PixelflyShape& shape);

/// A pixelfly layer as the op sequence of the PyTorch code runs through the vendor's front end: a
/// product of each block of x with the blocks of its column, which a look-up brings to the rows
/// they are added up in, and a low-rank layer beside it. Parameters: "blocks", (columns of blocks,
/// blocks of a column * block, block); those of the low-rank layer. Source: T. Dao et al.,
/// Pixelated Butterfly; HazyResearch/fly.
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
  /// Rows of blocks, or columns.
  [[nodiscard]] std::uint64_t lines() const { return shape_.features / shape_.block; }
  /// Of a row or column: blocks.
  [[nodiscard]] std::uint64_t active() const { return blocks_.front().size(); }
  /// Elements of a block of the result.
  [[nodiscard]] std::uint64_t rowElements() const { return shape_.block * site_.batch; }

  /// (rows of blocks, row elements) from the products, (columns, batch, blocks of a column * block)
  Tensor sumBlocks(const Tensor& products, Program& program);
  Tensor sumBags(const Tensor& table, Program& program);
  /// The gradient of the products' rows, from that of the sums.
  Tensor spreadBlocks(const Tensor& sums, Program& program);
  Tensor spreadBags(const Tensor& sums, Program& program);
  [[nodiscard]] Tensor bagIndices(std::uint64_t bag) const;

  PixelflyShape shape_;
  std::vector<std::vector<std::uint64_t>> blocks_;
  LowRankLayer low_rank_;
  MatmulProblem problem_;
  MatmulOp product_;
  Tensor
      indices_;  ///< rows of products that blocks of the result add up; bag by bag, or one of each
  Tensor x_;
};

}  // namespace ipusim::workloads
