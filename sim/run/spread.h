// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

#include "base/text/json.h"
#include "sim/run/run_result.h"

// How far predictions of a kind were off from published values that nothing was fitted to, as
// configs/spread.toml has it.

namespace ipusim::run {

/// The entry of configs/spread.toml for the time in which tiles of several IPUs do not compute.
inline constexpr const char* kAnyLinks = "any links";

/// The numbers in the table of a workload by key. An array has a number per element, such as
/// "field_0".
using Sizes = std::map<std::string, double>;

/// The sizes in the [workload] table of a config. Empty for a config without such a table.
Sizes sizesOf(const SortedJson& config);

/// True when every size is within a factor of two of the other, and both are divisible by eight or
/// neither is. Eight is the grain of the widest vertices, so that padding begins there. A size that
/// one of the two lacks counts as 1.
bool areNear(const Sizes& one, const Sizes& other);

/// The path of configs/spread.toml. Throws ConfigError when there is none.
std::filesystem::path spreadFile();

/// The spread of a kind in that file: the root mean square of ln(predicted / published) over its
/// rows. A kind with fewer than three rows gets at least the spread of all rows of the IPU, or of
/// GPUs.
Uncertainty spreadOf(const std::string& kind);

/// The larger of two spreads: that of a kind, and that of its rows whose sizes are near. A few near
/// rows may agree by chance. With fewer than three of them the spread is at least that of all rows
/// of the IPU, and `wider_because` says why.
Uncertainty spreadOf(const std::string& kind, const Sizes& sizes);

}  // namespace ipusim::run
