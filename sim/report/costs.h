// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/run/run_result.h"

// What a run costs besides time. The figures are rough, and are written with four digits.

namespace ipusim::run {

/// The value with four digits. Draws differ in the last digits of a double from one platform to
/// another, and no constant has four.
double rough(double value);

/// Adds the members `energy` and `area`, or `not_priced`. Nothing for a result that was not asked
/// for its costs.
void addCosts(const RunResult& result, nlohmann::ordered_json& json);

/// Adds the joules of each step to the list of steps.
void addStepCosts(const RunResult& result, nlohmann::ordered_json& steps);

/// The energy of a run or of a step of training: the member `energy`, and lines of the table.
nlohmann::ordered_json energyJson(const RunEnergy& energy);
std::string energyText(const RunEnergy& energy);

/// The lines of the table, or why there are none.
std::string costsText(const RunResult& result);

}  // namespace ipusim::run
