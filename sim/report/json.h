// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "sim/run/run_result.h"

namespace ipusim::run {

/// The version of the keys: it changes when one of them goes or changes its meaning.
constexpr const char* kSchema = "ipusim-run-2";

/// Whether the object holds what differs from one run to the next.
enum class Stats : std::uint8_t { Without, With };

/// The result as one object, its keys in a fixed order.
nlohmann::ordered_json toJson(const RunResult& result, Stats stats = Stats::Without);

/// Its member `compare`.
nlohmann::ordered_json compareJson(const CompareResult& compare);

/// The same as text: the same bytes for the same result, a newline at the end.
std::string jsonText(const RunResult& result, Stats stats = Stats::Without);

}  // namespace ipusim::run
