// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <memory>

#include "workloads/ops/placement/ranges.h"
#include "workloads/ops/user_matmul/product.h"
#include "workloads/vertices/type_cache.h"
#include "workloads/vertices/user/custom.h"

namespace ipusim::workloads {

namespace {

/// The rows and columns of a grid over the tiles, with blocks as square as the result allows.
struct Grid {
  std::uint64_t rows;
  std::uint64_t columns;
};

Grid gridFor(std::uint64_t m, std::uint64_t n, std::uint64_t tiles) {
  const double aspect = static_cast<double>(m) / static_cast<double>(n);
  const auto wanted =
      static_cast<std::uint64_t>(std::llround(std::sqrt(static_cast<double>(tiles) * aspect)));
  const std::uint64_t rows = std::min({std::max<std::uint64_t>(1, wanted), m, tiles});
  return {rows, std::min(n, tiles / rows)};
}

}  // namespace

Tensor addNaiveProduct(Graph& graph, const Architecture& machine, const UserOperands& operands,
                       const std::string& name, Program& program) {
  const std::uint64_t m = operands.left.shape()[0];
  const std::uint64_t k = operands.left.shape()[1];
  const std::uint64_t n = operands.right.shape()[1];
  const Grid grid = gridFor(m, n, machine.tiles);
  const Tensor storage =
      graph.addVariable(operands.left.type(), {m * n}, name + "/result", Lifetime::Always);
  graph.setShape(storage, {m, n});
  const ComputeSetId compute_set = graph.addComputeSet(name + "/Multiply");
  TypeCache<std::uint64_t> types;  // by the number of columns of a block
  std::vector<Tensor> rows_of_blocks;
  std::uint64_t next = 0;
  std::uint32_t next_tile = 0;
  for (const Range& rows : evenRanges(m, grid.rows)) {
    std::vector<Tensor> blocks;
    for (const Range& columns : evenRanges(n, grid.columns)) {
      const TileId tile(next_tile++);
      const std::uint64_t end = next + rows.size() * columns.size();
      const Tensor out = storage.slice(next, end, 0).reshape({rows.size(), columns.size()});
      next = end;
      graph.setTileMapping(out, tile);
      blocks.push_back(out);
      graph.addVertices(compute_set,
                        {types.get(columns.size(),
                                   [&] {
                                     return userProductVertex({1, k, columns.size()});
                                   }),
                         tile,
                         static_cast<std::uint32_t>(rows.size()),
                         {{operands.left.slice(rows.begin, rows.begin + 1, 0).view(), k},
                          {operands.right.slice(columns.begin, columns.end, 1).view()},
                          {out.slice(0, 1, 0).view(), columns.size()}}});
    }
    rows_of_blocks.push_back(concat(blocks, 1));
  }
  program.add(execute(compute_set));
  return concat(rows_of_blocks, 0);
}

}  // namespace ipusim::workloads
