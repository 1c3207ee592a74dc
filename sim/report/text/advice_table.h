// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "base/text/json.h"
#include "sim/run/advice/advice.h"

namespace ipusim::report {

/// The changes with which a program fits, and what each costs, in lines of at most `width` columns
/// where the overrides are short.
std::string adviceText(const run::Advice& advice, std::size_t width);

/// One line that names a padded size and what share of `seconds` it takes.
std::string betterSizeText(const run::AdvisedChange& change, double seconds);

/// One change of the member `advice`, or the member `better_size`, of a result.
Json changeJson(const run::AdvisedChange& change);

/// The member `advice` of a result.
Json adviceJson(const run::Advice& advice);

}  // namespace ipusim::report
