// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/engine/options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <set>

#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/element_bytes.h"

namespace poplar::detail {

namespace {

/// The groups of options that programs set. Options of instruments, reports and placement change
/// neither numbers nor modelled time.
constexpr std::array<const char*, 8> kGroups = {
    "debug.",           "autoReport.", "target.", "exchange.",
    "streamCallbacks.", "profiler.",   "opt.",    "prng."};
/// Names that public programs and the public user guide of Poplar 3.3 have.
constexpr std::array<const char*, 37> kNames = {"autoReport.all",
                                                "autoReport.directory",
                                                "autoReport.executionProfileProgramRunCount",
                                                "autoReport.outputDebugInfo",
                                                "autoReport.outputExecutionProfile",
                                                "autoReport.outputGraphProfile",
                                                "autoReport.outputLoweredVars",
                                                "autoReport.outputSerializedGraph",
                                                "autoReport.streamAtEachRun",
                                                "debug.allowOutOfMemory",
                                                "debug.computeInstrumentationLevel",
                                                "debug.instrument",
                                                "debug.instrumentCompute",
                                                "debug.instrumentControlFlow",
                                                "debug.instrumentExternalExchange",
                                                "debug.loweredVarDumpFile",
                                                "debug.outputAllSymbols",
                                                "debug.retainDebugInformation",
                                                "debug.runtimeVerify",
                                                "debug.verify",
                                                "exchange.enablePrefetch",
                                                "exchange.streamBufferOverlap",
                                                "opt.enableSkipSyncs",
                                                "opt.maxCompilationThreads",
                                                "opt.useAutoloader",
                                                "profiler.blocks.filter",
                                                "profiler.blocks.implicitFlush",
                                                "profiler.programs.filter",
                                                "streamCallbacks.multiThreadMode",
                                                "streamCallbacks.numWorkerThreads",
                                                "streamCallbacks.numaAware",
                                                "target.deterministicWorkers",
                                                "target.extendedMemory",
                                                "target.hostSyncTimeout",
                                                "target.saveArchive",
                                                "target.syncReplicasIndependently",
                                                "target.workerStackSizeInBytes"};
/// Options of this project's own.
constexpr std::array<const char*, 5> kOwn = {"ipusim.functionalSteps", "ipusim.perfEstimates",
                                             "ipusim.record", "ipusim.recordFile",
                                             "ipusim.unconnectedStreams"};
constexpr std::array<const char*, 5> kSummary = {"showExecutionSteps", "showOptimizations",
                                                 "showVarStorage", "showPerIpuMemoryUsage",
                                                 "colours"};

template <typename Names>
bool has(const Names& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool isOfAGroup(const std::string& name) {
  return std::any_of(kGroups.begin(), kGroups.end(),
                     [&name](const char* group) { return name.rfind(group, 0) == 0; });
}

/// Says once that an option has no effect.
void warn(const std::string& name) {
  static std::mutex guard;
  static std::set<std::string> told;
  const std::lock_guard lock(guard);
  if (!told.insert(name).second) return;
  fmt::print(stderr, "warning: option {}: not known here, and has no effect\n", name);
}

}  // namespace

void checkOptions(const Options& options) {
  for (std::size_t i = 0; i + 1 < options.count; i += 2) {
    const std::string name = stringOf(options.texts[i]);
    if (has(kNames, name) || has(kSummary, name) || has(kOwn, name)) continue;
    if (isOfAGroup(name)) {
      warn(name);
      continue;
    }
    throw invalid_option(
        fmt::format("option {}: wanted one of debug., autoReport., target., exchange., "
                    "streamCallbacks., profiler., opt. or prng., or {}",
                    name, fmt::join(kOwn, ", "))
            .c_str());
  }
}

std::string textOption(const Options& options, const std::string& name, const char* variable) {
  const char* const said = std::getenv(variable);
  std::string text = said == nullptr ? "" : said;
  for (std::size_t i = 0; i + 1 < options.count; i += 2) {
    if (stringOf(options.texts[i]) == name) text = stringOf(options.texts[i + 1]);
  }
  return text;
}

std::optional<std::uint64_t> numberOption(const Options& options, const std::string& name,
                                          const char* variable) {
  const std::string text = textOption(options, name, variable);
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

std::size_t wordOption(const Options& options, const std::string& name, const char* variable,
                       const std::vector<std::string>& words) {
  const std::string text = textOption(options, name, variable);
  if (text.empty()) return 0;
  const auto found = std::find(words.begin(), words.end(), text);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  throw invalid_option(
      fmt::format("option {}: wanted {}, found {}", name, fmt::join(words, " or "), text).c_str());
}

}  // namespace poplar::detail
