// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace ipusim::run {

/// The cells of one row, in the order of goldenColumns().
using GoldenRow = std::vector<std::string>;

/// The names of the columns: dotted paths into a result's JSON, the number of steps, and two
/// checksums.
GoldenRow goldenColumns();

/// The row of `result`. A path that the result lacks gives an empty cell. `steps_crc32` covers the
/// list of steps. `result_crc32` covers all the rest but the version of the program. No number can
/// therefore change unseen.
GoldenRow goldenRow(nlohmann::ordered_json result);

}  // namespace ipusim::run
