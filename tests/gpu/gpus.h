// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "models/gpu/machine.h"

namespace ipusim::gpu {

/// Two multiprocessors at 1 GHz and round figures: FP32 100 GFLOP/s, TF32 1 TFLOP/s and half 2
/// TFLOP/s each, DRAM 500 GB/s sustained, L2 200 GB/s, a launch of 1 us, and tiles that reach their
/// peak.
inline Machine toyGpu() {
  Machine toy{};
  toy.name = "toy";
  toy.sms = 2;
  toy.clock_hz = 1e9;
  toy.fp32_flops_per_cycle = 100;
  toy.tf32_flops_per_cycle = 1000;
  toy.half_flops_per_cycle = 2000;
  toy.threads_per_block = 1024;
  toy.shared_per_block = Bytes(4096);
  toy.memory = {Bytes(1000), 0.94, 1e12, 0.5, Bytes(1'000'000), 100, 0.8, 0.5};
  toy.residency = {64, 4, 1e-6};
  toy.launch = {1e-6, 2e-6, 3e-6, 0, 0};
  toy.fp32 = {1, 0, 0};
  toy.fp32_sliced_k_offset = 0;
  toy.fp32_one_wave_efficiency = 1;
  toy.tf32 = {1, 0, 0};
  toy.half = {1, 0, 0};
  toy.tf32_two_word_factor = 2;
  toy.tf32_one_word_factor = 4;
  toy.pipe = {3, 1};
  toy.csr_gather_efficiency = 0.5;
  toy.framework = {0.5, 10e-6, 0.5, 0.6, 2, 8, 100e-6, 0.01};
  return toy;
}

inline const Machine& a30() {
  static const Machine kMachine = readPreset("a30");
  return kMachine;
}

/// The A30 with the constants of the second program, which made the files of witness/.
inline Machine witnessGpu() {
  Machine machine = a30();
  machine.fp32.base = 0.8831;
  machine.tf32.base = 1.3169;
  machine.pipe.global_load_cycles = 2.365;
  machine.csr_gather_efficiency = 0.7307;
  machine.framework.efficiency = 0.9552;
  machine.framework.butterfly_stage_host_ratio = 1.6056;
  return machine;
}

constexpr double kMicro = 1e-6;
/// Relative rounding error of sums of a few products.
constexpr double kRounding = 1e-9;

}  // namespace ipusim::gpu
