// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "poplar/detail/engine_api.hpp"

namespace poplar::detail {

/// Throws invalid_option for a name that no option of an engine has.
void checkOptions(const Options& options);
/// Whether the option is set to that value.
bool optionIs(const Options& options, const std::string& name, const std::string& value);

/// What option `name` or else the environment variable `variable` says; empty without either.
std::string textOption(const Options& options, const std::string& name, const char* variable);

/// The number that option `ipusim.NAME` or else the environment variable `variable` sets. Throws
/// invalid_option where that is no whole number of at least one.
std::optional<std::uint64_t> numberOption(const Options& options, const std::string& name,
                                          const char* variable);

/// Which of `words` the option `name` or else the environment variable `variable` sets; the first
/// without either. Throws invalid_option for another word.
std::size_t wordOption(const Options& options, const std::string& name, const char* variable,
                       const std::vector<std::string>& words);

}  // namespace poplar::detail
