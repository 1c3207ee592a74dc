// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/machine_fields.h"

#include <algorithm>

#include "ipusim/error.h"

namespace ipusim::gpu {
namespace {

// These bounds keep times finite and above zero. None is a hardware limit.
constexpr double kMaxSms = 4096;
constexpr double kMaxClock = 1e12;
constexpr double kMaxFlops = 1e6;
constexpr double kMaxThreads = 65536;
constexpr double kMachineFieldsMaxBytes = 1e15;
constexpr double kMaxRate = 1e16;
constexpr double kMaxPerCycle = 1e6;
constexpr double kMaxSeconds = 1;
constexpr double kMinShare = 0.01;
constexpr double kMaxFactor = 1000;
constexpr double kMaxSlope = 1000;
constexpr double kMachineFieldsMaxSteps = 100'000;
constexpr double kMinCycles = 0.01;
constexpr double kMaxCycles = 10'000;
/// 1/e = base + slope (...) may have a base below one. No tile can beat the peak all the same.
constexpr double kMinBase = 0.1;

using Fields = std::vector<MachineField>;
using M = Machine;
constexpr Number kWhole = Number::Whole;
constexpr Number kReal = Number::Real;

std::uint32_t small(double value) {
  return static_cast<std::uint32_t>(value);
}

Bytes bytes(double value) {
  return Bytes(static_cast<std::uint64_t>(value));
}

void append(Fields& fields, const Fields& more) {
  fields.insert(fields.end(), more.begin(), more.end());
}

Fields chipFields() {
  return {
      {"sms", kWhole, 1, kMaxSms, [](M& m, double v) { m.sms = small(v); }},
      {"clock_hz", kReal, 1, kMaxClock, [](M& m, double v) { m.clock_hz = v; }},
      {"fp32_flops_per_cycle", kReal, 1, kMaxFlops,
       [](M& m, double v) { m.fp32_flops_per_cycle = v; }},
      {"tf32_flops_per_cycle", kReal, 1, kMaxFlops,
       [](M& m, double v) { m.tf32_flops_per_cycle = v; }},
      {"half_flops_per_cycle", kReal, 1, kMaxFlops,
       [](M& m, double v) { m.half_flops_per_cycle = v; }},
      {"threads_per_block", kWhole, 1, kMaxThreads,
       [](M& m, double v) { m.threads_per_block = small(v); }},
      {"shared_per_block_bytes", kWhole, 1, kMachineFieldsMaxBytes,
       [](M& m, double v) { m.shared_per_block = bytes(v); }},
      {"threads_per_sm", kWhole, 1, kMaxThreads,
       [](M& m, double v) { m.residency.threads_per_sm = small(v); }},
      {"blocks_per_sm", kWhole, 1, kMaxThreads,
       [](M& m, double v) { m.residency.blocks_per_sm = small(v); }},
      {"block_seconds", kReal, 0, kMaxSeconds,
       [](M& m, double v) { m.residency.block_seconds = v; }},
  };
}

Fields memoryFields() {
  return {
      {"dram_bytes", kWhole, 1, kMachineFieldsMaxBytes,
       [](M& m, double v) { m.memory.dram = bytes(v); }},
      {"dram_usable_share", kReal, kMinShare, 1,
       [](M& m, double v) { m.memory.dram_usable_share = v; }},
      {"dram_bytes_per_second", kReal, 1, kMaxRate,
       [](M& m, double v) { m.memory.dram_bytes_per_second = v; }},
      {"dram_efficiency", kReal, kMinShare, 1,
       [](M& m, double v) { m.memory.dram_efficiency = v; }},
      {"l2_bytes", kWhole, 1, kMachineFieldsMaxBytes,
       [](M& m, double v) { m.memory.l2 = bytes(v); }},
      {"l2_bytes_per_cycle", kReal, kMinShare, kMaxPerCycle,
       [](M& m, double v) { m.memory.l2_bytes_per_cycle = v; }},
      {"l2_resident_share", kReal, kMinShare, 1,
       [](M& m, double v) { m.memory.l2_resident_share = v; }},
      {"l2_elementwise_share", kReal, kMinShare, 1,
       [](M& m, double v) { m.memory.l2_elementwise_share = v; }},
      {"launch_seconds", kReal, 0, kMaxSeconds,
       [](M& m, double v) { m.launch.kernel_seconds = v; }},
      {"split_k_seconds", kReal, 0, kMaxSeconds,
       [](M& m, double v) { m.launch.split_k_seconds = v; }},
      {"graph_kernel_seconds", kReal, 0, kMaxSeconds,
       [](M& m, double v) { m.launch.graph_kernel_seconds = v; }},
      {"graph_replay_seconds", kReal, 0, kMaxSeconds,
       [](M& m, double v) { m.launch.graph_replay_seconds = v; }},
      {"launch_host_seconds", kReal, 0, kMaxSeconds,
       [](M& m, double v) { m.launch.host_seconds = v; }},
  };
}

Fields gemmFields() {
  return {
      {"fp32_tile_base", kReal, kMinBase, kMaxFactor, [](M& m, double v) { m.fp32.base = v; }},
      {"fp32_tile_slope", kReal, 0, kMaxSlope, [](M& m, double v) { m.fp32.slope = v; }},
      {"fp32_k_offset", kReal, 0, kMachineFieldsMaxSteps,
       [](M& m, double v) { m.fp32.k_offset = v; }},
      {"fp32_sliced_k_offset", kReal, 0, kMachineFieldsMaxSteps,
       [](M& m, double v) { m.fp32_sliced_k_offset = v; }},
      {"fp32_one_wave_efficiency", kReal, kMinShare, 1,
       [](M& m, double v) { m.fp32_one_wave_efficiency = v; }},
      {"tf32_tile_base", kReal, kMinBase, kMaxFactor, [](M& m, double v) { m.tf32.base = v; }},
      {"tf32_tile_slope", kReal, 0, kMaxSlope, [](M& m, double v) { m.tf32.slope = v; }},
      {"tf32_k_offset", kReal, 0, kMachineFieldsMaxSteps,
       [](M& m, double v) { m.tf32.k_offset = v; }},
      {"tf32_two_word_factor", kReal, 1, kMaxFactor,
       [](M& m, double v) { m.tf32_two_word_factor = v; }},
      {"tf32_one_word_factor", kReal, 1, kMaxFactor,
       [](M& m, double v) { m.tf32_one_word_factor = v; }},
      {"half_tile_base", kReal, kMinBase, kMaxFactor, [](M& m, double v) { m.half.base = v; }},
      {"half_tile_slope", kReal, 0, kMaxSlope, [](M& m, double v) { m.half.slope = v; }},
      {"half_k_offset", kReal, 0, kMachineFieldsMaxSteps,
       [](M& m, double v) { m.half.k_offset = v; }},
      {"split_k_least_ratio", kReal, 0, kMachineFieldsMaxSteps,
       [](M& m, double v) { m.split_k_least_ratio = v; }},
      {"exposed_store_share", kReal, 0, 1, [](M& m, double v) { m.exposed_store_share = v; }},
      {"global_load_cycles", kReal, kMinCycles, kMaxCycles,
       [](M& m, double v) { m.pipe.global_load_cycles = v; }},
      {"shared_access_cycles", kReal, kMinCycles, kMaxCycles,
       [](M& m, double v) { m.pipe.shared_access_cycles = v; }},
      {"csr_gather_efficiency", kReal, kMinShare, 1,
       [](M& m, double v) { m.csr_gather_efficiency = v; }},
  };
}

Fields frameworkFields() {
  return {
      {"framework_efficiency", kReal, kMinShare, 1,
       [](M& m, double v) { m.framework.efficiency = v; }},
      {"linear_host_seconds", kReal, 0, kMaxSeconds,
       [](M& m, double v) { m.framework.linear_host_seconds = v; }},
      {"elementwise_host_ratio", kReal, 0, kMaxFactor,
       [](M& m, double v) { m.framework.elementwise_host_ratio = v; }},
      {"batched_host_ratio", kReal, 0, kMaxFactor,
       [](M& m, double v) { m.framework.batched_host_ratio = v; }},
      {"butterfly_stage_host_ratio", kReal, 0, kMaxFactor,
       [](M& m, double v) { m.framework.butterfly_stage_host_ratio = v; }},
      {"pixelfly_host_ratio", kReal, 0, kMaxFactor,
       [](M& m, double v) { m.framework.pixelfly_host_ratio = v; }},
      {"training_step_host_seconds", kReal, 0, kMaxSeconds,
       [](M& m, double v) { m.framework.training_step_host_seconds = v; }},
      {"training_operation_ratio", kReal, 0, 1,
       [](M& m, double v) { m.framework.training_operation_ratio = v; }},
  };
}

}  // namespace

const std::vector<MachineField>& machineFields() {
  static const Fields kFields = [] {
    Fields fields = chipFields();
    append(fields, memoryFields());
    append(fields, gemmFields());
    append(fields, frameworkFields());
    return fields;
  }();
  return kFields;
}

Machine withValue(Machine machine, const std::string& key, double value) {
  const std::vector<MachineField>& fields = machineFields();
  const auto field = std::find_if(fields.begin(), fields.end(),
                                  [&key](const MachineField& one) { return one.key == key; });
  check(field != fields.end(), "a GPU has that constant");
  field->set(machine, value);
  return machine;
}

}  // namespace ipusim::gpu
