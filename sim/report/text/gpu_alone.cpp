// SPDX-License-Identifier: Apache-2.0
#include "sim/report/text/gpu_alone.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/config/size_error.h"
#include "base/text/json.h"
#include "ipusim/version.h"
#include "sim/report/json.h"
#include "sim/report/text/quantity.h"
#include "sim/report/text/table.h"
#include "sim/report/text/text_layout.h"

namespace ipusim::report {

namespace {

constexpr const char* kGpuSchema = "ipusim-gpu-1";

run::GpuResult resultBesideDense(const run::CompareOptions& options, const gpu::NamedProgram& named,
                                 run::Band band) {
  run::GpuResult result = run::gpuResultOf(options, named.program, named.flops, band);
  if (!named.dense || !result.time) return result;
  const auto dense = programTime(options.machine, *named.dense, options.host).total;
  if (dense) result.over_dense = result.time->seconds / dense->seconds;
  return result;
}

gpu::NamedProgram onTensorCores(const gpu::NamedProgram& named) {
  gpu::NamedProgram other{withTensorCores(named.program), named.flops};
  if (named.dense) other.dense = withTensorCores(*named.dense);
  return other;
}

}  // namespace

GpuExperiment prepareGpuAlone(const ConfigReader& config) {
  const ConfigReader program = config.table("program");
  GpuExperiment experiment{config.values(), program.text("kind", ""),
                           run::readCompareOptions(config),
                           withinLimits(program, [&] { return gpu::readProgram(program); })};
  config.expectAllRead();
  return experiment;
}

run::CompareResult simulateGpuAlone(const GpuExperiment& experiment, run::Band band) {
  run::CompareResult result = run::emptyComparison(experiment.options);
  if (experiment.named.program.numbers == gpu::Numbers::Half) {
    result.half = resultBesideDense(experiment.options, experiment.named, band);
    return result;
  }
  result.fp32 = resultBesideDense(experiment.options, experiment.named, band);
  result.tf32 = resultBesideDense(experiment.options, onTensorCores(experiment.named), band);
  return result;
}

Json gpuAloneJson(const GpuExperiment& experiment, const run::CompareResult& result) {
  return {{"schema", kGpuSchema},      {"tool_version", libraryVersion()},
          {"commit", libraryCommit()}, {"config", experiment.config.json()},
          {"fits", result.fits()},     {"compare", compareJson(result)}};
}

std::string gpuAloneText(const GpuExperiment& experiment, const run::CompareResult& result) {
  const gpu::Program& program = experiment.named.program;
  std::vector<std::string> items = {experiment.kind,
                                    bytesText(program.tensors) + " alive together"};
  if (experiment.named.flops > Flops(0)) items.push_back(workText(experiment.named.flops));
  return withoutTrailingSpaces(wrapped("PROGRAM", items) + compareText(result));
}

}  // namespace ipusim::report
