// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// All products of matrices in this program use this one loop.
//
// A panel holds a few rows of the left matrix, or columns of the right one. Step k of all their dot
// products lies in one piece: rows[k][r] and columns[k][c].

namespace ipusim::workloads {

/// Rows in a panel of the left matrix.
constexpr std::uint64_t kPanelRows = 4;
/// Columns in a panel of the right matrix: as many as fill a line of the processor's cache.
template <typename Real>
constexpr std::uint64_t kPanelColumns = 64 / sizeof(Real);

/// Adds to the sums: sums[r][c] += rows[k][r] * columns[k][c] for k = 0, 1, …, depth - 1, in that
/// order. Each product and each sum is rounded on its own, so the sums have equal bits on every
/// processor.
void addProducts(const float* rows, const float* columns, std::uint64_t depth, float* sums);
void addProducts(const double* rows, const double* columns, std::uint64_t depth, double* sums);

}  // namespace ipusim::workloads
