// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "sim/studies/sweep/space/expression.h"

namespace ipusim::search {

enum class Algorithm : std::uint8_t {
  Nsga2,
  Moead,
  Random,  ///< the baseline for the others
  Bisect,  ///< for one axis up to whose best value the constraints hold
};

/// A key of the result, or of an axis, to be minimised or maximised.
struct Objective {
  std::string key;
  bool maximize = false;
};

/// What a search looks for, and how.
struct SearchOptions {
  std::string place;  ///< the table, as messages name it
  std::vector<Objective> objectives;
  std::vector<sweep::Condition> constraints;
  std::optional<Algorithm> algorithm;  ///< none: Bisect where it can be, otherwise Nsga2
  std::uint64_t population = 0;
  std::uint64_t evaluations = 0;  ///< points that the search may look at
  std::uint32_t seed = 0;
};

/// Reads the [explore] table of a sweep file: `minimize` and `maximize` (together one key or more),
/// `constraints` (conditions; the default is that the run fits), `algorithm`, `population`,
/// `evaluations` and `seed`. Throws ConfigError for anything else.
SearchOptions readSearchOptions(const ConfigReader& config);

}  // namespace ipusim::search
