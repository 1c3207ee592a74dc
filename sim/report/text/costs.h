// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/text/json.h"
#include "sim/run/run_result.h"

// What a run costs besides time. The figures are rough, and are written with four digits.

namespace ipusim::report {

/// The value with four digits. Draws differ in the last digits of a double from one platform to
/// another, and no constant has four.
double rough(double value);

/// Adds the members `energy` and `area`, or `not_priced`. Nothing for a result that was not asked
/// for its costs.
void addCosts(const run::RunResult& result, Json& json);

/// Adds the joules of each step to the list of steps.
void addStepCosts(const run::RunResult& result, Json& steps);

/// The energy of a run or of a step of training: the member `energy`, and lines of the table.
Json energyJson(const run::RunEnergy& energy);
std::string energyText(const run::RunEnergy& energy);

/// The lines of the table, or why there are none.
std::string costsText(const run::RunResult& result);

}  // namespace ipusim::report
