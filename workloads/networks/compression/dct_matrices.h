// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "workloads/networks/compression/dct_chop.h"

// The constant matrices of DctChop.

namespace ipusim::workloads {

struct DctMatrix {
  std::string name;  ///< no other matrix has it
  std::uint64_t rows;
  std::uint64_t columns;
  std::vector<double> values;  ///< row after row
};

/// L^T of a row of `blocks` blocks: the transform of each block, of which `chop` frequencies stay.
DctMatrix choppedDct(std::uint64_t blocks, std::uint64_t chop);

/// The transform of a block in both directions: 64 rows, a column for each frequency that is kept.
DctMatrix blockDct(const DctChop& rule);

/// The matrix that decodes, since the frequencies are orthonormal.
DctMatrix transposed(const DctMatrix& matrix);

/// The frequencies that are kept, as row x chop + column.
std::vector<double> keptFrequencies(const DctChop& rule);

}  // namespace ipusim::workloads
