// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/numbers/number_in.h"
#include "ipusim/units.h"
#include "sim/studies/sweep/processes/shard.h"

// Reads the values of options from their texts. None when the text is no such value.

namespace ipusim::cli {

/// What the search for advice may take, in seconds: as long as a person waits for an answer.
constexpr double kUsualAdviceSeconds = 20;

/// What an option of secondsIn() wants.
constexpr const char* kDurationWanted = "a duration as 30s, 10m or 2h";

constexpr std::uint64_t kMostJobs = 1024;
constexpr std::uint64_t kMostShards = 1'000'000;

/// The number of processes or threads, 1 to kMostJobs.
std::optional<std::uint64_t> jobsIn(const std::string& text);

/// The columns of a table, run::kNarrowest to run::kWidest.
std::optional<std::size_t> widthIn(const std::string& text);

/// Numbers of tiles such as `3,17`.
std::optional<std::vector<std::uint32_t>> tilesIn(const std::string& text);

/// The shard such as `2/8`, which is the one with index 1 of 8.
std::optional<sweep::Shard> shardIn(const std::string& text);

/// A number of seconds above 0, without a unit.
std::optional<double> plainSecondsIn(const std::string& text);

/// A duration above 0 such as `30s`, `10m` or `2h`, in seconds.
std::optional<double> secondsIn(const std::string& text);

/// A size such as `512M`, `4G` or `1T`. An M is 10^6 bytes.
std::optional<Bytes> bytesIn(const std::string& text);

}  // namespace ipusim::cli
