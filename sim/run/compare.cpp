// SPDX-License-Identifier: Apache-2.0
#include "sim/run/compare.h"

#include <algorithm>
#include <array>

namespace ipusim::run {
namespace {

constexpr std::array<gpu::Host, 3> kHosts = {gpu::Host::None, gpu::Host::Eager, gpu::Host::Graph};
constexpr std::array<gpu::Provenance, 4> kProvenances = {
    gpu::Provenance::Spec, gpu::Provenance::Transfer, gpu::Provenance::Fitted,
    gpu::Provenance::Assumed};

gpu::Host readHost(const ConfigReader& table) {
  std::vector<std::string> names;
  names.reserve(kHosts.size());
  for (const gpu::Host host : kHosts) names.emplace_back(nameOf(host));
  const std::string name = table.choice("host", names, nameOf(gpu::Host::None));
  const auto found = std::find(names.begin(), names.end(), name);
  return kHosts.at(static_cast<std::size_t>(found - names.begin()));
}

GpuResult resultOf(const CompareOptions& options, const gpu::Program& program, Flops flops,
                   const RunResult& ipu) {
  const gpu::ProgramTime time = programTime(options.machine, program, options.host);
  GpuResult result;
  result.memory = time.memory;
  result.time = time.total;
  if (!time.total) return result;
  result.flops_per_second = static_cast<double>(flops.value()) / time.total->seconds;
  if (ipu.fits() && ipu.time.seconds > 0) {
    result.speedup_of_ipu = time.total->seconds / ipu.time.seconds;
  }
  return result;
}

}  // namespace

std::optional<CompareOptions> readCompare(const ConfigReader& config) {
  if (!config.has("compare")) return std::nullopt;
  const ConfigReader table = config.table("compare");
  return CompareOptions{gpu::readMachine(table), readHost(table)};
}

CompareResult compareWithGpu(const CompareOptions& options,
                             const workloads::BuiltWorkload& workload, const RunResult& ipu) {
  CompareResult result;
  result.gpu = options.machine.name;
  result.host = options.host;
  for (const gpu::Provenance kind : kProvenances) {
    const auto& constants = options.machine.constants;
    const auto count =
        std::count_if(constants.begin(), constants.end(),
                      [kind](const gpu::Constant& constant) { return constant.kind == kind; });
    result.constants.emplace_back(nameOf(kind), static_cast<std::uint64_t>(count));
  }
  if (!workload.gpu) return result;
  result.fp32 = resultOf(options, *workload.gpu, workload.flops, ipu);
  result.tf32 = resultOf(options, withTensorCores(*workload.gpu), workload.flops, ipu);
  return result;
}

}  // namespace ipusim::run
