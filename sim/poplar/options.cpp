// SPDX-License-Identifier: Apache-2.0
#include "sim/poplar/options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "poplar/exceptions.hpp"
#include "sim/poplar/element_bytes.h"

namespace poplar::detail {

namespace {

/// The groups of options that programs set. Options of instruments, reports and placement change
/// neither numbers nor modelled time.
constexpr std::array<const char*, 9> kGroups = {
    "debug.",    "autoReport.", "target.", "exchange.",         "streamCallbacks.",
    "profiler.", "opt.",        "prng.",   "showExecutionSteps"};
constexpr std::array<const char*, 4> kSummary = {"showOptimizations", "showVarStorage",
                                                 "showPerIpuMemoryUsage", "colours"};

bool isKnown(const std::string& name) {
  const auto begins = [&name](const char* group) { return name.rfind(group, 0) == 0; };
  return std::any_of(kGroups.begin(), kGroups.end(), begins) ||
         std::any_of(kSummary.begin(), kSummary.end(), begins);
}

}  // namespace

void checkOptions(const Options& options) {
  for (std::size_t i = 0; i + 1 < options.count; i += 2) {
    const std::string name = stringOf(options.texts[i]);
    if (isKnown(name)) continue;
    throw invalid_option(
        fmt::format("option {}: wanted one of debug., autoReport., target., exchange., "
                    "streamCallbacks., profiler., opt. or prng.",
                    name)
            .c_str());
  }
}

bool optionIs(const Options& options, const std::string& name, const std::string& value) {
  bool is_set = false;
  for (std::size_t i = 0; i + 1 < options.count; i += 2) {
    if (stringOf(options.texts[i]) == name) is_set = stringOf(options.texts[i + 1]) == value;
  }
  return is_set;
}

}  // namespace poplar::detail
