// SPDX-License-Identifier: Apache-2.0
#include "sim/run/check/check_experiment.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <utility>

#include "base/config/size_error.h"
#include "base/text/message.h"
#include "sim/run/summary/summarize.h"

namespace ipusim::run {

namespace {

/// A check that compares nothing has no answer.
[[noreturn]] void throwNothingToCheck(const std::vector<std::string>& unchecked) {
  std::vector<std::string> names;
  names.reserve(unchecked.size());
  for (const std::string& name : unchecked) names.push_back(oneLine(name));
  const std::string lost = names.empty() ? "" : fmt::format(" (not {})", fmt::join(names, ", "));
  throw ConfigError("check: wanted results that live until the program ends, found none" + lost);
}

/// Checks each different program of a layer. The worst one has the largest share of what is allowed
/// there. A layer without results of its own, such as one of views, is not checked.
NumberCheck checkLayers(const Experiment& experiment, const executor::CheckOptions& options) {
  std::optional<NumberCheck> worst;
  std::uint64_t elements = 0;
  std::vector<std::string> unchecked;
  forEachLayer(experiment, [&](std::size_t /*layer*/, const Experiment& program) {
    const auto& lost = program.workload.unchecked;
    unchecked.insert(unchecked.end(), lost.begin(), lost.end());
    if (program.workload.host().outputs.empty()) return;
    NumberCheck one = checkNumbers(program, options);
    elements += one.found.elements;
    const bool is_worse = !worst || (worst->found.ok && !one.found.ok) ||
                          (worst->found.ok == one.found.ok && worst->found.share < one.found.share);
    if (is_worse) worst = std::move(one);
  });
  if (!worst) throwNothingToCheck(unchecked);
  worst->found.elements = elements;
  worst->unchecked = std::move(unchecked);
  return *worst;
}

NumberCheck checkAll(const Experiment& experiment, const executor::CheckOptions& options) {
  if (experiment.layers) return checkLayers(experiment, options);
  if (!experiment.workload.reference) {
    constexpr const char* kWanted =
        "a workload with numbers to compare with (the vertices of codelets have tests of their "
        "own)";
    if (experiment.sizes) throw experiment.sizes->error("kind", kWanted);
    throw ConfigError(
        fmt::format("workload.kind: wanted {}, found {}", kWanted, experiment.workload_kind));
  }
  const workloads::BuiltWorkload& workload = experiment.workload;
  const HostTensors host = workload.host();
  if (host.outputs.empty() && host.output_rows.empty()) throwNothingToCheck(workload.unchecked);
  return {executor::checkNumbers(workload.graph, experiment.executable, host, *workload.reference,
                                 options),
          workload.reference->tolerance, workload.unchecked};
}

}  // namespace

std::optional<OutOfMemory> outOfMemory(const Experiment& experiment) {
  if (!experiment.layers) {
    return outOfMemory(experiment.workload.graph, experiment.executable);
  }
  std::optional<OutOfMemory> first;
  forEachLayer(experiment, [&](std::size_t /*layer*/, const Experiment& program) {
    if (!first) first = outOfMemory(program.workload.graph, program.executable);
  });
  return first;
}

NumberCheck checkNumbers(const Experiment& experiment, const executor::CheckOptions& options) {
  const auto all = [&] { return checkAll(experiment, options); };
  return experiment.sizes ? withinLimits(*experiment.sizes, all) : all();
}

}  // namespace ipusim::run
