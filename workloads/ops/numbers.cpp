// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/numbers.h"

#include <algorithm>
#include <array>

namespace ipusim::workloads {

namespace {

// A block of the right matrix stays in the processor's first cache while rows go by, a block of the
// product in its second.
constexpr std::uint64_t kBlockRows = 256;
constexpr std::uint64_t kBlockInputs = 16;
constexpr std::uint64_t kBlockOutputs = 128;

/// Where a block begins, and its sizes.
struct ProductBlock {
  ProductSizes first;
  ProductSizes size;
};

/// sums[o] += left[i] * right[i][o], four inputs at a time. The rows of `right` are a block's.
[[gnu::always_inline]] inline void addRow(const double* left, const double* right,
                                          const ProductSizes& size, double* sums) {
  std::uint64_t i = 0;
  for (; i + 4 <= size.inputs; i += 4, right += 4 * kBlockOutputs) {
    for (std::uint64_t o = 0; o < size.outputs; ++o) {
      double sum = sums[o];
      sum += left[i] * right[o];
      sum += left[i + 1] * right[o + kBlockOutputs];
      sum += left[i + 2] * right[o + 2 * kBlockOutputs];
      sum += left[i + 3] * right[o + 3 * kBlockOutputs];
      sums[o] = sum;
    }
  }
  for (; i < size.inputs; ++i, right += kBlockOutputs) {
    for (std::uint64_t o = 0; o < size.outputs; ++o) sums[o] += left[i] * right[o];
  }
}

/// Works in arrays of its own, so that the compiler knows that no sum is read as an operand. There
/// the rows of the right matrix follow one another: a power of two apart they would share places in
/// the cache.
[[gnu::always_inline]] inline void addBlock(const ProductSizes& sizes, const ProductBlock& block,
                                            const double* left, const double* right,
                                            double* product) {
  const auto& [first, size] = block;
  std::array<double, kBlockInputs * kBlockOutputs> corner;
  for (std::uint64_t i = 0; i < size.inputs; ++i) {
    std::copy_n(right + (first.inputs + i) * sizes.outputs + first.outputs, size.outputs,
                corner.data() + i * kBlockOutputs);
  }
  for (std::uint64_t r = first.rows; r < first.rows + size.rows; ++r) {
    std::array<double, kBlockOutputs> sums;
    double* row = product + r * sizes.outputs + first.outputs;
    std::copy_n(row, size.outputs, sums.data());
    addRow(left + r * sizes.inputs + first.inputs, corner.data(), size, sums.data());
    std::copy_n(sums.data(), size.outputs, row);
  }
}

using AddBlock = void (*)(const ProductSizes&, const ProductBlock&, const double*, const double*,
                          double*);

void addAnywhere(const ProductSizes& sizes, const ProductBlock& block, const double* left,
                 const double* right, double* product) {
  addBlock(sizes, block, left, right, product);
}

#if defined(__x86_64__)

[[gnu::target("avx2,fma")]] void addAvx2(const ProductSizes& sizes, const ProductBlock& block,
                                         const double* left, const double* right, double* product) {
  addBlock(sizes, block, left, right, product);
}

[[gnu::target("avx512f")]] void addAvx512(const ProductSizes& sizes, const ProductBlock& block,
                                          const double* left, const double* right,
                                          double* product) {
  addBlock(sizes, block, left, right, product);
}

/// The widest registers that this processor has.
AddBlock widest() {
  if (static_cast<bool>(__builtin_cpu_supports("avx512f"))) return addAvx512;
  const bool has_avx2 = static_cast<bool>(__builtin_cpu_supports("avx2")) &&
                        static_cast<bool>(__builtin_cpu_supports("fma"));
  return has_avx2 ? addAvx2 : addAnywhere;
}

#else

AddBlock widest() {
  return addAnywhere;
}

#endif

const AddBlock kAddBlock = widest();

}  // namespace

void addProduct(const ProductSizes& sizes, const double* left, const double* right,
                double* product) {
  const auto [rows, inputs, outputs] = sizes;
  for (std::uint64_t o = 0; o < outputs; o += kBlockOutputs) {
    for (std::uint64_t r = 0; r < rows; r += kBlockRows) {
      for (std::uint64_t i = 0; i < inputs; i += kBlockInputs) {
        const ProductBlock block{
            {r, i, o},
            {std::min(kBlockRows, rows - r), std::min(kBlockInputs, inputs - i),
             std::min(kBlockOutputs, outputs - o)}};
        kAddBlock(sizes, block, left, right, product);
      }
    }
  }
}

}  // namespace ipusim::workloads
