// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "ipusim/error.h"
#include "workloads/ops/fill/zero.h"
#include "workloads/ops/user_matmul/product.h"
#include "workloads/vertices/user/custom.h"

namespace ipusim::workloads {

namespace {

class BlockedProduct {
 public:
  BlockedProduct(Graph& graph, const Architecture& machine, const UserOperands& operands,
                 std::uint64_t block)
      : graph_(graph),
        tiles_(machine.tiles),
        operands_(operands),
        block_(block),
        multiply_type_(shared(userProductVertex({block, block, block}))),
        add_type_(shared(userAddVertex({block * block}))),
        columns_(operands.right.shape()[1] / block),
        blocks_(operands.left.shape()[0] / block * columns_),
        a_(addTemporary("a")),
        b_(addTemporary("b")),
        product_(addTemporary("product")),
        result_(graph.addVariable(operands.left.type(), {blocks_, block * block}, "result",
                                  Lifetime::Always)) {
    for (std::uint64_t b = 0; b < blocks_; ++b) {
      graph.setTileMapping(result_.slice(b, b + 1, 0), tileOf(b));
    }
  }

  Tensor run(const Architecture& machine, Program& program) {
    addZero(graph_, machine, {result_.reshape({result_.elements()})}, "result/Zero", program);
    const std::uint64_t steps = operands_.left.shape()[1] / block_;
    for (std::uint64_t first = 0; first < blocks_; first += tiles_) {
      for (std::uint64_t step = 0; step < steps; ++step) addStep(first, step, program);
    }
    return result_.reshape({blocks_ / columns_, columns_, block_, block_})
        .dimShuffle({0, 2, 1, 3})
        .reshape({operands_.left.shape()[0], operands_.right.shape()[1]});
  }

 private:
  /// Adds a temporary with one block per tile.
  Tensor addTemporary(const std::string& name) {
    const std::uint64_t used = std::min(tiles_, blocks_);
    Tensor temporary =
        graph_.addVariable(operands_.left.type(), {used, block_, block_}, "temporary/" + name);
    for (std::uint64_t t = 0; t < used; ++t) {
      graph_.setTileMapping(temporary.slice(t, t + 1, 0), TileId(static_cast<std::uint32_t>(t)));
    }
    return temporary;
  }

  [[nodiscard]] TileId tileOf(std::uint64_t block) const {
    return TileId(static_cast<std::uint32_t>(block % tiles_));
  }

  static Tensor block2d(const Tensor& tensor, std::uint64_t row, std::uint64_t column,
                        std::uint64_t size) {
    return tensor.slice(row * size, (row + 1) * size, 0)
        .slice(column * size, (column + 1) * size, 1);
  }

  /// Adds one block of the inner dimension for the blocks of a round.
  void addStep(std::uint64_t first, std::uint64_t step, Program& program) {
    const std::uint64_t last = std::min(blocks_, first + tiles_);
    const ComputeSetId multiply = graph_.addComputeSet("Multiply");
    const ComputeSetId accumulate = graph_.addComputeSet("Accumulate");
    std::vector<CopyPair> pairs;
    for (std::uint64_t b = first; b < last; ++b) {
      const TileId tile = tileOf(b);
      const std::uint64_t own = b % tiles_;  // its block of the temporaries
      const Tensor a = a_.slice(own, own + 1, 0).reshape({block_, block_});
      const Tensor right = b_.slice(own, own + 1, 0).reshape({block_, block_});
      const View product = product_.slice(own, own + 1, 0).view();
      pairs.push_back({block2d(operands_.left, b / columns_, step, block_), a});
      pairs.push_back({block2d(operands_.right, step, b % columns_, block_), right});
      graph_.addVertices(multiply,
                         {multiply_type_, tile, 1, {{a.view()}, {right.view()}, {product}}});
      graph_.addVertices(accumulate,
                         {add_type_, tile, 1, {{result_.slice(b, b + 1, 0).view()}, {product}}});
    }
    program.add(graph_.copy(pairs, "Temporaries"));
    program.add(execute(multiply));
    program.add(execute(accumulate));
  }

  Graph& graph_;
  std::uint64_t tiles_;
  UserOperands operands_;
  std::uint64_t block_;
  std::shared_ptr<const VertexType> multiply_type_;
  std::shared_ptr<const VertexType> add_type_;
  std::uint64_t columns_;  ///< columns of the grid of blocks
  std::uint64_t blocks_;
  Tensor a_;
  Tensor b_;
  Tensor product_;
  Tensor result_;
};

}  // namespace

Tensor addBlockedProduct(Graph& graph, const Architecture& machine, const UserOperands& operands,
                         std::uint64_t block, Program& program) {
  const Shape& left = operands.left.shape();
  check(left[0] % block == 0 && left[1] % block == 0 && operands.right.shape()[1] % block == 0,
        "a blocked product of whole blocks");
  return BlockedProduct(graph, machine, operands, block).run(machine, program);
}

}  // namespace ipusim::workloads
