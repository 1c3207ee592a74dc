// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <istream>
#include <string>

#include "workloads/ops/sparse/pattern.h"

namespace ipusim::workloads {

/// The largest number of rows or columns that a file may have.
constexpr std::uint64_t kMaxFileDimension = 1U << 24U;

/// The places at which the matrix of a Matrix Market file is not zero, in blocks of `block`. A
/// block with at least one entry is stored whole. An entry counts whatever its value is. Accepts
/// "coordinate" with real, integer or pattern entries, general or symmetric (the other half is
/// added). Throws ConfigError, "file:line: wanted ..., found ...".
/// Source: R. Boisvert, R. Pozo, K. Remington, The Matrix Market Exchange Formats, NISTIR 5935.
SparsePattern readMatrixMarket(const std::filesystem::path& file, std::uint64_t block);

/// Reads a stream; `name` stands for the file in messages.
SparsePattern parseMatrixMarket(std::istream& in, const std::string& name, std::uint64_t block);

}  // namespace ipusim::workloads
