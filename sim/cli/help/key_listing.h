// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

namespace ipusim::cli {

/// One line for each key of a section of the reference, or of all sections.
std::string keyListing(const std::optional<std::string>& section);

/// What a key is, wherever it may stand: the dotted key, or the last part of one. `kind` is the
/// workload whose meaning is wanted; empty: all of them. Throws ConfigError for an unknown key.
std::string keyExplanation(const std::string& key, const std::string& kind);

}  // namespace ipusim::cli
