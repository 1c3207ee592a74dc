// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "sim/studies/reproduce/reproduction.h"

// What a reproduction is read from. No wall times; the same bytes for the same results.

namespace ipusim::reproduce {

/// A page that holds all it shows: each item with its numbers, pictures (read from `folder`) and
/// commands, and the misses by name.
std::string pageHtml(const Paper& paper, const Reproduction& reproduction,
                     const std::filesystem::path& folder);

/// A row for each number.
std::string tableCsv(const Paper& paper, const Reproduction& reproduction);

}  // namespace ipusim::reproduce
