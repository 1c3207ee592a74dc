// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/config/config_reader.h"
#include "sim/parallel/redistribution/study.h"

namespace ipusim::parallel {

/// Redistributions between random types.
struct RandomCases {
  std::uint64_t cases;
  std::uint64_t seed;
  std::uint32_t devices;
};

/// What a config asks for: one redistribution, or random ones.
struct RedistributionJob {
  Place place;
  ElementType type;
  std::variant<Redistribution, RandomCases> asked;
};

/// Reads `machine`, a preset of configs/systems or configs/machines or a table on top of one, and
/// the table `redistribution`: `mesh`, `source` and `target` in the notation of array_type.h, or
/// `mesh`, `shape`, `source_spec` and `target_spec`; or `random_cases`, `seed` and `devices`.
/// Throws ConfigError of one line, with its place.
RedistributionJob readJob(const ConfigReader& config);

/// The report as a table of text, with the plans below.
std::string tableOf(const RedistributionReport& report, const Place& place);
/// The report as one JSON object.
std::string jsonOf(const RedistributionReport& report, const Place& place);

/// The speed-ups over gather-and-slice, in words and as one JSON object.
std::string tableOf(const SpeedUps& found, const Place& place);
std::string jsonOf(const SpeedUps& found, const Place& place);

}  // namespace ipusim::parallel
