// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/sparse/gpu_sparse_matmul.h"

namespace ipusim::workloads {

namespace {

/// The smallest edge of blocks that are worth a kernel of their own.
constexpr std::uint64_t kSmallestBlock = 4;

Bytes floats(std::uint64_t count) {
  return count * sizeOf(ElementType::Float);
}

}  // namespace

std::optional<gpu::Program> gpuSparseMatmul(ElementType type, const SparsePattern& pattern,
                                            std::uint64_t n) {
  if (type == ElementType::Half) return std::nullopt;
  const std::uint64_t values = pattern.nonZeros();
  const Bytes dense = floats(pattern.columns * n + pattern.rows * n);
  if (pattern.block < kSmallestBlock) {
    const gpu::CsrSpmm spmm{pattern.rows, pattern.columns, n, values};
    return gpu::Program{"csr spmm",
                        {{"csr spmm", gpu::FrameworkCall::Linear, {spmm}}},
                        dense + floats(2 * values + pattern.rows + 1)};
  }
  const Bytes moved = dense + floats(values);
  const gpu::BlockSpmm spmm{pattern.blocks.size(), pattern.block, n, moved};
  return gpu::Program{"block spmm",
                      {{"block spmm", gpu::FrameworkCall::Linear, {spmm}}},
                      moved + floats(pattern.blocks.size())};
}

}  // namespace ipusim::workloads
