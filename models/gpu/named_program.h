// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/config_reader.h"
#include "ipusim/units.h"
#include "models/gpu/program.h"

namespace ipusim::gpu {

/// A program that a config names, for a GPU on its own.
struct NamedProgram {
  Program program;
  Flops flops;  ///< useful work; of sparse products counted as for dense ones
  /// What a structured layer stands in the place of: a linear layer of its size.
  std::optional<Program> dense = {};
};

/// The table [program]: `kind` and the keys of that kind. ConfigErrors as for every config.
///   product      m, k, n, kernel = "library", "naive" or "shared_memory"
///   csr_spmm     m, k, n, density
///   elementwise  read_bytes, written_bytes: one kernel that moves them
///   linear, butterfly, pixelfly, fastfood, circulant, low_rank
///                a forward pass without a bias: width, batch; pixelfly: block, rank, butterfly
///                (the usual ones unless said); low_rank: rank (1)
///   training     layer (one of those six), width, batch, classes (10), steps (1)
NamedProgram readProgram(const ConfigReader& table);

/// The kinds, sorted.
std::vector<std::string> programKinds();

}  // namespace ipusim::gpu
