// SPDX-License-Identifier: Apache-2.0
#include "sim/run/compare.h"

#include <algorithm>
#include <string>
#include <unordered_map>

#include "models/ipu/energy/boards.h"
#include "models/ipu/machine/machine_reader.h"
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
  if (time.total) {
    if (const auto watts = energy::boardWatts(options.machine.name)) {
      result.at_most_joules = *watts * time.total->seconds;
    }
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

void compareLayers(const CompareOptions& options, const gpu::Program& program,
                   std::vector<LayerResult>& layers) {
  std::unordered_map<std::string, LayerOnGpu> by_name;
  for (LayerResult& layer : layers) by_name.emplace(layer.name, LayerOnGpu{0, std::nullopt});
  const gpu::ProgramTime time = programTime(options.machine, program, options.host);
  if (!time.total) return;
  for (const gpu::OperatorTime& one : time.operators) {
    const auto found = by_name.find(one.name);
    if (found != by_name.end()) found->second.seconds += one.total.seconds;
  }
  if (program.numbers == gpu::Numbers::Float) {
    for (auto& [name, layer] : by_name) layer.tf32_seconds = 0;
    const gpu::Program on_tensor_cores = withTensorCores(program);
    for (const gpu::OperatorTime& one :
         programTime(options.machine, on_tensor_cores, options.host).operators) {
      const auto found = by_name.find(one.name);
      if (found != by_name.end()) *found->second.tf32_seconds += one.total.seconds;
    }
  }
  for (LayerResult& layer : layers) layer.gpu = by_name.at(layer.name);
}

}  // namespace ipusim::run
