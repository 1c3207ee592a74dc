// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "ipusim/units.h"
#include "models/gpu/program.h"

namespace ipusim::gpu {

/// A program that a config names, for a GPU alone.
struct NamedProgram {
  Program program;
  Flops flops;  ///< useful work; sparse products count like dense ones
  /// The linear layer of equal size that a structured layer replaces.
  std::optional<Program> dense = {};
};

/// Reads the table [program]: `kind`, and the keys of that kind. Throws ConfigError.
///
///   product      m, k, n, kernel = "library", "naive" or "shared_memory", type = "float" or, of
///                the library, "half"; block_edge (16) of the other two
///   csr_spmm     m, k, n, density
///   attention    batch, heads, length, width (of a head): all queries meet all keys, in half
///   elementwise  read_bytes, written_bytes: one kernel that moves them
///   linear, butterfly, pixelfly, fastfood, circulant, low_rank
///                a forward pass without a bias: width, batch; pixelfly: block, rank, butterfly
///                (defaults as in usualPixelfly); low_rank: rank (1);
///                form = "fused", or "operators" for PyTorch's own, one by one; a pixelfly of
///                these also blocks_per_row
///   training     layer (one of those six), width, batch, classes (10), steps (1)
NamedProgram readProgram(const ConfigReader& table);

/// The kinds, sorted.
std::vector<std::string> programKinds();

}  // namespace ipusim::gpu
