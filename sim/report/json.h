// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "base/text/json.h"
#include "sim/run/run_result.h"

namespace ipusim::report {

/// The version of the keys. It changes when a key is removed or changes its meaning.
constexpr const char* kSchema = "ipusim-run-2";

/// Whether the object holds figures that differ from one run to the next.
enum class Stats : std::uint8_t { Without, With };

/// The result as one object, with its keys in a fixed order.
Json toJson(const run::RunResult& result, Stats stats = Stats::Without);

/// The member `compare` of that object.
Json compareJson(const run::CompareResult& compare);

/// The object as text with a newline at the end. Equal results give equal bytes.
std::string jsonText(const run::RunResult& result, Stats stats = Stats::Without);

}  // namespace ipusim::report
