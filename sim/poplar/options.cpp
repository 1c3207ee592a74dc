// SPDX-License-Identifier: Apache-2.0
#include "sim/poplar/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include "poplar/exceptions.hpp"
#include "sim/poplar/element_bytes.h"

namespace poplar::detail {

namespace {

/// The groups of options that programs set. Options of instruments, reports and placement change
/// neither numbers nor modelled time.
constexpr std::array<const char*, 9> kGroups = {
    "debug.",    "autoReport.", "target.", "exchange.",         "streamCallbacks.",
    "profiler.", "opt.",        "prng.",   "showExecutionSteps"};
/// Options of this project's own.
constexpr std::array<const char*, 2> kOwn = {"ipusim.functionalSteps", "ipusim.record"};
constexpr std::array<const char*, 4> kSummary = {"showOptimizations", "showVarStorage",
                                                 "showPerIpuMemoryUsage", "colours"};

bool isKnown(const std::string& name) {
  const auto begins = [&name](const char* group) { return name.rfind(group, 0) == 0; };
  return std::any_of(kGroups.begin(), kGroups.end(), begins) ||
         std::any_of(kSummary.begin(), kSummary.end(), begins) ||
         std::find(kOwn.begin(), kOwn.end(), name) != kOwn.end();
}

}  // namespace

void checkOptions(const Options& options) {
  for (std::size_t i = 0; i + 1 < options.count; i += 2) {
    const std::string name = stringOf(options.texts[i]);
    if (isKnown(name)) continue;
    throw invalid_option(
        fmt::format("option {}: wanted one of debug., autoReport., target., exchange., "
                    "streamCallbacks., profiler., opt. or prng., or {}",
                    name, fmt::join(kOwn, ", "))
            .c_str());
  }
}

std::optional<std::uint64_t> numberOption(const Options& options, const std::string& name,
                                          const char* variable) {
  const char* const said = std::getenv(variable);
  std::string text = said == nullptr ? "" : said;
  for (std::size_t i = 0; i + 1 < options.count; i += 2) {
    if (stringOf(options.texts[i]) == name) text = stringOf(options.texts[i + 1]);
  }
  if (text.empty()) return std::nullopt;
  std::uint64_t number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error == std::errc() && at == end && number > 0) return number;
  throw invalid_option(
      fmt::format("option {}: wanted a whole number of at least 1, found {}", name, text).c_str());
}

bool optionIs(const Options& options, const std::string& name, const std::string& value) {
  bool is_set = false;
  for (std::size_t i = 0; i + 1 < options.count; i += 2) {
    if (stringOf(options.texts[i]) == name) is_set = stringOf(options.texts[i + 1]) == value;
  }
  return is_set;
}

}  // namespace poplar::detail
