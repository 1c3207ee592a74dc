// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/text/json.h"
#include "sim/run/run_result.h"

// What a report page is drawn from: one JSON object. Lists with a value per tile, per band of tiles
// or per position are run lengths: [count, value, count, value, ...].

namespace ipusim::report {

/// The version of the keys. It changes when a key is removed or changes its meaning.
constexpr const char* kPageSchema = "ipusim-page-1";

/// How much of the parts that grow with steps, tiles and variables a page holds. What is beyond is
/// left out, and `left_out` says so.
struct PageLimits {
  std::size_t steps = 20'000;         ///< whose tiles are shown one by one
  std::size_t placed_bytes = 30'000;  ///< of all layouts
  std::size_t largest_blocks = 10;    ///< of each layout beyond
  std::size_t liveness_changes = 80'000;
  std::size_t variable_runs = 100'000;
};

/// All that a page shows of a result.
Json pageData(const run::RunResult& result, const PageLimits& limits = {});

/// The part of the data that the detail of a run fills, for pageData(). Adds to `left_out` what is
/// beyond the limits.
Json detailData(const run::RunResult& result, const PageLimits& limits,
                std::vector<std::string>& left_out);

/// Energy by step and part, and the power of each tile. Needs a result with energy.
Json energyData(const run::RunResult& result);

}  // namespace ipusim::report
