// SPDX-License-Identifier: Apache-2.0
#include "sim/run/compare.h"

#include <algorithm>

#include "models/ipu/system/machine_reader.h"
#include "sim/run/uncertainty.h"

namespace ipusim::run {
namespace {

GpuResult besideIpu(GpuResult result, const RunResult& ipu) {
  // The time of a training step includes that of the host.
  const double own = ipu.training ? ipu.training->seconds : ipu.time.seconds;
  if (result.time && ipu.fits() && own > 0) result.speedup_of_ipu = result.time->seconds / own;
  return result;
}

}  // namespace

CompareOptions readCompareOptions(const ConfigReader& table) {
  return {gpu::readMachine(table), readWord(table, "host", gpu::kHostWords, gpu::Host::None)};
}

GpuResult gpuResultOf(const CompareOptions& options, const gpu::Program& program, Flops flops,
                      Band band) {
  const gpu::ProgramTime time = programTime(options.machine, program, options.host);
  GpuResult result;
  result.memory = time.memory;
  result.time = time.total;
  if (time.total && flops > Flops(0)) {
    result.flops_per_second = static_cast<double>(flops.value()) / time.total->seconds;
  }
  if (time.total && band == Band::With) {
    result.uncertainty = uncertaintyOf(options, program, time.total->seconds);
  }
  return result;
}

std::optional<CompareOptions> readCompare(const ConfigReader& config) {
  if (!config.has("compare")) return std::nullopt;
  return readCompareOptions(config.table("compare"));
}

CompareResult emptyComparison(const CompareOptions& options) {
  CompareResult result;
  result.gpu = options.machine.name;
  result.host = options.host;
  for (const Word<gpu::Provenance>& provenance : gpu::kProvenanceWords) {
    const auto& constants = options.machine.constants;
    const auto count = std::count_if(
        constants.begin(), constants.end(),
        [&](const gpu::Constant& constant) { return constant.kind == provenance.value; });
    result.constants.emplace_back(provenance.word, static_cast<std::uint64_t>(count));
  }
  return result;
}

CompareResult compareWithGpu(const CompareOptions& options,
                             const workloads::BuiltWorkload& workload, const RunResult& ipu) {
  CompareResult result = emptyComparison(options);
  if (!workload.gpu) return result;
  const auto result_of = [&](const gpu::Program& program) {
    return besideIpu(gpuResultOf(options, program, workload.flops.value()), ipu);
  };
  if (workload.gpu->numbers == gpu::Numbers::Half) {
    result.half = result_of(*workload.gpu);
    return result;
  }
  result.fp32 = result_of(*workload.gpu);
  result.tf32 = result_of(withTensorCores(*workload.gpu));
  return result;
}

}  // namespace ipusim::run
