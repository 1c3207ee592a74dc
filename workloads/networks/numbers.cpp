// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/numbers.h"

#include <Eigen/Core>

namespace ipusim::workloads {

namespace {

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

Eigen::Map<const Matrix> asMatrix(const Values& values, std::uint64_t columns) {
  return {values.data(), static_cast<Eigen::Index>(values.size() / columns),
          static_cast<Eigen::Index>(columns)};
}

}  // namespace

Values multiplied(const Values& rows, const Values& matrix, std::uint64_t inputs,
                  std::uint64_t outputs) {
  Values product(rows.size() / inputs * outputs);
  const auto left = asMatrix(rows, inputs);
  Eigen::Map<Matrix>(product.data(), left.rows(), static_cast<Eigen::Index>(outputs)).noalias() =
      left * asMatrix(matrix, outputs);
  return product;
}

void addToRows(const Values& vector, Values& rows) {
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] += vector[i % vector.size()];
}

}  // namespace ipusim::workloads
