// SPDX-License-Identifier: Apache-2.0
#include "workloads/vertices/products/panel_product.h"

#include <cstddef>
#include <cstring>

// The build switches off the contraction of a product and a sum into one rounding for this file.

namespace ipusim::workloads {

namespace {

template <typename Real, std::size_t Size>
struct Register {
  using Lanes [[gnu::vector_size(Size)]] = Real;
};

/// Keeps the sums of each row in one register of `Size` bytes, and makes as many passes as a row of
/// sums fills registers. Each register is a variable of its own, because g++ 12 keeps an array of
/// registers in memory.
template <std::size_t Size, typename Real>
[[gnu::always_inline]] inline void addInRegisters(const Real* rows, const Real* columns,
                                                  std::uint64_t depth, Real* sums) {
  using Lanes = typename Register<Real, Size>::Lanes;
  static_assert(kPanelRows == 4);
  constexpr std::uint64_t kColumns = kPanelColumns<Real>;
  for (std::uint64_t first = 0; first < kColumns; first += Size / sizeof(Real)) {
    Lanes sum0;
    Lanes sum1;
    Lanes sum2;
    Lanes sum3;
    std::memcpy(&sum0, sums + first, Size);
    std::memcpy(&sum1, sums + first + kColumns, Size);
    std::memcpy(&sum2, sums + first + 2 * kColumns, Size);
    std::memcpy(&sum3, sums + first + 3 * kColumns, Size);
    for (std::uint64_t k = 0; k < depth; ++k) {
      Lanes column;
      std::memcpy(&column, columns + k * kColumns + first, Size);
      const Real* row = rows + k * kPanelRows;
      sum0 += column * row[0];
      sum1 += column * row[1];
      sum2 += column * row[2];
      sum3 += column * row[3];
    }
    std::memcpy(sums + first, &sum0, Size);
    std::memcpy(sums + first + kColumns, &sum1, Size);
    std::memcpy(sums + first + 2 * kColumns, &sum2, Size);
    std::memcpy(sums + first + 3 * kColumns, &sum3, Size);
  }
}

template <typename Real>
using AddProducts = void (*)(const Real*, const Real*, std::uint64_t, Real*);

template <typename Real>
void addAnywhere(const Real* rows, const Real* columns, std::uint64_t depth, Real* sums) {
  addInRegisters<16>(rows, columns, depth, sums);
}

#if defined(__x86_64__)

template <typename Real>
[[gnu::target("avx2")]] void addAvx2(const Real* rows, const Real* columns, std::uint64_t depth,
                                     Real* sums) {
  addInRegisters<32>(rows, columns, depth, sums);
}

template <typename Real>
[[gnu::target("avx512f")]] void addAvx512(const Real* rows, const Real* columns,
                                          std::uint64_t depth, Real* sums) {
  addInRegisters<64>(rows, columns, depth, sums);
}

/// The widest registers that this processor has.
template <typename Real>
AddProducts<Real> widest() {
  if (static_cast<bool>(__builtin_cpu_supports("avx512f"))) return addAvx512<Real>;
  if (static_cast<bool>(__builtin_cpu_supports("avx2"))) return addAvx2<Real>;
  return addAnywhere<Real>;
}

#else

template <typename Real>
AddProducts<Real> widest() {
  return addAnywhere<Real>;
}

#endif

const AddProducts<float> kAddFloats = widest<float>();
const AddProducts<double> kAddDoubles = widest<double>();

}  // namespace

void addProducts(const float* rows, const float* columns, std::uint64_t depth, float* sums) {
  kAddFloats(rows, columns, depth, sums);
}

void addProducts(const double* rows, const double* columns, std::uint64_t depth, double* sums) {
  kAddDoubles(rows, columns, depth, sums);
}

}  // namespace ipusim::workloads
