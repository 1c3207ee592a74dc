// SPDX-License-Identifier: Apache-2.0
#include "workloads/networks/compression/dct_matrices.h"

#include <fmt/format.h>

#include <cmath>

namespace ipusim::workloads {

namespace {

constexpr double kPi = 3.14159265358979323846;

double dctAt(std::uint64_t frequency, std::uint64_t place) {
  if (frequency == 0) return std::sqrt(1.0 / kDctBlock);
  const double angle = static_cast<double>((2 * place + 1) * frequency) * kPi / (2 * kDctBlock);
  return std::sqrt(2.0 / kDctBlock) * std::cos(angle);
}

}  // namespace

DctMatrix choppedDct(std::uint64_t blocks, std::uint64_t chop) {
  const std::uint64_t columns = blocks * chop;
  DctMatrix matrix{fmt::format("dct_{}_{}", blocks * kDctBlock, chop), blocks * kDctBlock, columns,
                   std::vector<double>(blocks * kDctBlock * columns, 0)};
  for (std::uint64_t block = 0; block < blocks; ++block) {
    for (std::uint64_t place = 0; place < kDctBlock; ++place) {
      for (std::uint64_t frequency = 0; frequency < chop; ++frequency) {
        const std::uint64_t row = block * kDctBlock + place;
        matrix.values[row * columns + block * chop + frequency] = dctAt(frequency, place);
      }
    }
  }
  return matrix;
}

DctMatrix blockDct(const DctChop& rule) {
  const std::vector<double> kept = keptFrequencies(rule);
  DctMatrix matrix{fmt::format("block_dct_{}_{}", rule.chop, wordOf(rule.corner, kDctCorners)),
                   kDctBlock * kDctBlock,
                   kept.size(),
                   {}};
  for (std::uint64_t y = 0; y < kDctBlock; ++y) {
    for (std::uint64_t x = 0; x < kDctBlock; ++x) {
      for (const double frequencies : kept) {
        const auto both = static_cast<std::uint64_t>(frequencies);
        matrix.values.push_back(dctAt(both / rule.chop, y) * dctAt(both % rule.chop, x));
      }
    }
  }
  return matrix;
}

DctMatrix transposed(const DctMatrix& matrix) {
  DctMatrix result{matrix.name + "_transposed", matrix.columns, matrix.rows,
                   std::vector<double>(matrix.values.size())};
  for (std::uint64_t row = 0; row < matrix.rows; ++row) {
    for (std::uint64_t column = 0; column < matrix.columns; ++column) {
      result.values[column * matrix.rows + row] = matrix.values[row * matrix.columns + column];
    }
  }
  return result;
}

std::vector<double> keptFrequencies(const DctChop& rule) {
  std::vector<double> kept;
  for (std::uint64_t row = 0; row < rule.chop; ++row) {
    for (std::uint64_t column = 0; column < rule.chop; ++column) {
      const bool is_kept = rule.corner == DctCorner::Square || row + column < rule.chop;
      if (is_kept) kept.push_back(static_cast<double>(row * rule.chop + column));
    }
  }
  return kept;
}

}  // namespace ipusim::workloads
