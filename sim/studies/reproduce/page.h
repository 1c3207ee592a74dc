// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "sim/studies/reproduce/reproduction.h"

// The files in which a reproduction is read. They hold no wall times: equal results give equal
// bytes.

namespace ipusim::reproduce {

/// A page that contains all it shows: each item with its numbers, its commands and its pictures
/// (read from `folder`), and a list of the misses.
std::string pageHtml(const Paper& paper, const Reproduction& reproduction,
                     const std::filesystem::path& folder);

/// One row per number.
std::string tableCsv(const Paper& paper, const Reproduction& reproduction);

}  // namespace ipusim::reproduce
