// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/config/config_reader.h"

// Changes of a config that may make its program fit. Nothing here knows whether they do.

namespace ipusim::run {

/// Another value for keys of a config.
struct Change {
  std::string words;  ///< such as "half in place of float"
  std::vector<Override> overrides;
  std::uint64_t runs = 1;  ///< runs that do what one run without the change would do
};

/// What the first changes of a remedy tell of the cost of running those after them.
enum class LaterCosts : std::uint8_t { Unknown, NoLess };

/// What is known of the cost of running a change before anything of it is built.
enum class ChangedCost : std::uint8_t {
  Unknown,
  InProportion,  ///< about that of the run without the change, over Change::runs, or more
};

/// Makes a size smaller, which may be any number below what it is. The changes of its remedy halve
/// it once, twice and so on, rounded down.
struct Resizing {
  std::uint64_t now = 0;  ///< the size without a change
  std::function<Change(std::uint64_t)> change_to;
};

/// Changes of one kind, the smallest first.
struct Remedy {
  std::string kind;  ///< such as "type" or "batch"
  std::vector<Change> changes;
  LaterCosts later_costs = LaterCosts::Unknown;
  ChangedCost cost = ChangedCost::InProportion;
  std::optional<Resizing> resizing = std::nullopt;  ///< where sizes between the changes are of use
};

/// The remedies that the keys of `config` allow. All of `config` must have been read, because the
/// keys that were asked for are those that its workload has.
std::vector<Remedy> remediesFor(const ConfigReader& config);

/// The sizes of a planned product, padded by an eighth at most. No changes where all divide well.
/// All of `config` must have been read.
Remedy paddingFor(const ConfigReader& config);

/// The sizes of the transposed product, whose operands change places. No changes for a product that
/// is as high as wide. All of `config` must have been read.
Remedy transposeFor(const ConfigReader& config);

/// Each remedy of `rest` together with the first change of `first`.
std::vector<Remedy> together(const Remedy& first, const std::vector<Remedy>& rest);

}  // namespace ipusim::run
