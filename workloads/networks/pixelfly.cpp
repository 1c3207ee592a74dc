// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/pixelfly.h"

#include <algorithm>
#include <set>

#include "base/powers_of_two.h"
#include "ipusim/error.h"
#include "workloads/networks/product.h"
#include "workloads/ops/elementwise/elementwise.h"
#include "workloads/ops/gather/multi_slice.h"
#include "workloads/ops/numbers.h"
#include "workloads/ops/placement/arrange.h"
#include "workloads/ops/reduce/sum_rows.h"

namespace ipusim::workloads {

namespace {

using Blocks = std::vector<std::vector<std::uint64_t>>;

/// For each row of blocks, the columns of the blocks that a cell of the mask touches.
Blocks coveredBlocks(const PixelflyShape& shape) {
  const std::uint64_t cell = shape.features / shape.butterfly_size;
  const auto first = [&](std::uint64_t index) { return index * cell / shape.block; };
  const auto last = [&](std::uint64_t index) { return ((index + 1) * cell - 1) / shape.block; };
  std::vector<std::set<std::uint64_t>> columns(shape.features / shape.block);
  const auto cover = [&](std::uint64_t row, std::uint64_t column) {
    for (std::uint64_t r = first(row); r <= last(row); ++r) {
      for (std::uint64_t c = first(column); c <= last(column); ++c) columns[r].insert(c);
    }
  };
  for (std::uint64_t row = 0; row < shape.butterfly_size; ++row) {
    cover(row, row);
    for (std::uint64_t bit = 1; bit < shape.butterfly_size; bit *= 2) cover(row, row ^ bit);
  }
  Blocks blocks;
  blocks.reserve(columns.size());
  for (const auto& row : columns) blocks.emplace_back(row.begin(), row.end());
  return blocks;
}

/// True when every row has equally many blocks. The mask is symmetric, so columns then have too.
bool areRegular(const Blocks& blocks) {
  return std::all_of(blocks.begin(), blocks.end(), [&](const std::vector<std::uint64_t>& row) {
    return row.size() == blocks.front().size();
  });
}

/// The index of the block at (row, column) among the blocks of its column.
std::uint64_t slotOf(const Blocks& blocks, std::uint64_t row, std::uint64_t column) {
  // By symmetry, the rows of a column are the columns of the row with that number.
  const std::vector<std::uint64_t>& rows = blocks[column];
  return static_cast<std::uint64_t>(std::lower_bound(rows.begin(), rows.end(), row) - rows.begin());
}

MatmulProblem blockProblem(const LayerSite& site, const PixelflyShape& shape,
                           const Blocks& blocks) {
  MatmulProblem problem = shape.options;
  problem.groups = blocks.size();
  problem.m = site.batch;
  problem.k = shape.block;
  problem.n = blocks.front().size() * shape.block;
  return problem;
}

}  // namespace

std::optional<OptionFault> pixelflyFault(const PixelflyShape& shape) {
  const std::string features = std::to_string(shape.features);
  if (shape.butterfly_size < 2 || !isPowerOfTwo(shape.butterfly_size) ||
      shape.features % shape.butterfly_size != 0) {
    return OptionFault{"butterfly_size", "a power of two from 2 on that divides " + features};
  }
  if (shape.block == 0 || shape.features % shape.block != 0) {
    return OptionFault{"block", "a divisor of " + features};
  }
  if (!areRegular(coveredBlocks(shape))) {
    return OptionFault{"features",
                       "a size whose mask has as many blocks in each row, such as a power of two"};
  }
  return std::nullopt;
}

Blocks pixelflyBlocks(const PixelflyShape& shape) {
  const std::optional<OptionFault> fault = pixelflyFault(shape);
  if (fault) throw InternalError(fault->key + ": wanted " + fault->wanted);
  return coveredBlocks(shape);
}

std::vector<std::uint64_t> pixelflyRows(const Blocks& blocks, BagSum sum) {
  const std::uint64_t active = blocks.front().size();
  std::vector<std::uint64_t> indices(blocks.size() * active);
  for (std::uint64_t bag = 0; bag < blocks.size(); ++bag) {
    for (std::uint64_t k = 0; k < active; ++k) {
      const std::uint64_t column = blocks[bag][k];
      const std::uint64_t place = sum == BagSum::Bags ? bag * active + k : k * blocks.size() + bag;
      indices[place] = column * active + slotOf(blocks, bag, column);
    }
  }
  return indices;
}

PixelflyLayer::PixelflyLayer(const LayerSite& site, const PixelflyShape& shape)
    : Layer(site, {shape.features, shape.features, true}),
      shape_(shape),
      blocks_(pixelflyBlocks(shape)),
      low_rank_(within(site, "lowRank"),
                {shape.features, shape.features, shape.rank, shape.options}),
      problem_(blockProblem(site, shape, blocks_)),
      product_(site.graph, site.machine, planMatmul(site.machine, problem_), site.name + "/blocks",
               {Lifetime::Temporary, Lifetime::Always}),
      indices_(addRowIndices(site.graph, site.machine, pixelflyRows(blocks_, shape.block_sum),
                             site.name + "/indices")) {
  parameters_ = low_rank_.parameters();
  parameters_.insert(parameters_.begin(), {"blocks", product_.right().dimShuffle({0, 2, 1})});
}

BagSteps PixelflyLayer::bags(Program& program) {
  return {site_.graph, site_.machine, {lines(), active(), lines() * active(), shape_.block_sum},
          indices_,    site_.name,    program};
}

Tensor PixelflyLayer::sumBlocks(const Tensor& products, Program& program) {
  const Tensor rows =
      products.reshape({lines(), site_.batch, active(), shape_.block}).dimShuffle({0, 2, 3, 1});
  const Tensor table = arrangeTable(site_.graph, site_.machine, {rows, lines() * active()},
                                    site_.name + "/products", program);
  return bags(program).sums(table);
}

Tensor PixelflyLayer::forward(const Tensor& x, Lifetime result, Program& program) {
  Graph& graph = site_.graph;
  x_ = x;
  Tensor y = low_rank_.forward(x, result, program);
  const Tensor left = x.reshape({site_.batch, lines(), shape_.block}).dimShuffle({1, 0, 2});
  product_.arrange(&left, nullptr, program);
  const Tensor sums = sumBlocks(product_.multiply(Lifetime::Temporary, program), program);
  const Tensor rows = sums.reshape({shape_.features, site_.batch}).dimShuffle({1, 0});
  const Tensor arranged = arrangedAs(graph, y, rows, site_.name + "/sums", program);
  Elementwise(graph, site_.machine, program)
      .binaryInPlace(models::BinaryOp::Add, storageOf(graph, y), storageOf(graph, arranged),
                     site_.name + "/Add");
  return y;
}

std::vector<Tensor> PixelflyLayer::backward(const Tensor& gradient, Program& program) {
  std::vector<Tensor> gradients = low_rank_.backward(gradient, program);
  const Tensor sums = consecutive(site_.graph, site_.machine, gradient.dimShuffle({1, 0}),
                                  site_.name + "/gradient", program);
  const Tensor spread = consecutive(site_.graph, site_.machine,
                                    bags(program).gradient(sums.reshape({lines(), rowElements()})),
                                    site_.name + "/productGradient", program);
  const Tensor products = spread.reshape({lines(), active(), shape_.block, site_.batch})
                              .dimShuffle({0, 3, 1, 2})
                              .reshape({lines(), site_.batch, active() * shape_.block});
  MatmulProblem options = problem_;
  options.pass = ConvPass::FcTrainingWu;
  const LayerSite update = within(site_, "blockGradient");
  const Tensor x = x_.reshape({site_.batch, lines(), shape_.block}).dimShuffle({1, 2, 0});
  const Tensor blocks = addProduct(update, options, {x, products}, Lifetime::Temporary, program);
  gradients.insert(
      gradients.begin(),
      product_.arrangedAsRight(blocks, update.name + "/arranged", program).dimShuffle({0, 2, 1}));
  return gradients;
}

Values PixelflyLayer::reference(const std::vector<Values>& parameters, const Values& x) const {
  const std::uint64_t n = shape_.features;
  const std::uint64_t block = shape_.block;
  Values transposed(n * n);  // W transposed: one row per input
  for (std::uint64_t column = 0; column < lines(); ++column) {
    for (std::uint64_t r = 0; r < active() * block; ++r) {
      const std::uint64_t output = blocks_[column][r / block] * block + r % block;
      for (std::uint64_t c = 0; c < block; ++c) {
        transposed[(column * block + c) * n + output] =
            parameters[0][(column * active() * block + r) * block + c];
      }
    }
  }
  Values y = low_rank_.reference({parameters.begin() + 1, parameters.end()}, x);
  const Values sums = multiplied(x, transposed, n, n);
  for (std::size_t i = 0; i < y.size(); ++i) y[i] += sums[i];
  return y;
}

Flops PixelflyLayer::forwardFlops() const {
  // The products, the sums of blocks, and the sum with the low-rank part.
  const std::uint64_t elements = lines() * active() * shape_.block * shape_.block;
  return low_rank_.forwardFlops() +
         Flops(site_.batch * (2 * elements + (active() - 1 + 1) * shape_.features));
}

std::vector<MatmulProblem> PixelflyLayer::problems() const {
  std::vector<MatmulProblem> problems = low_rank_.problems();
  problems.push_back(problem_);
  return problems;
}

}  // namespace ipusim::workloads
