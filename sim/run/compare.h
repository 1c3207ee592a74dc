// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "base/config/config_reader.h"
#include "models/gpu/program.h"
#include "sim/run/run_result.h"
#include "workloads/sources/workload.h"

namespace ipusim::run {

/// The GPU to compare with, and what launches its kernels.
struct CompareOptions {
  gpu::Machine machine;
  gpu::Host host = gpu::Host::None;
};

/// Reads the table [compare] of a run: `gpu`, a preset or a path, and `host`: "none" (the default),
/// "eager" or "graph". Returns nothing when there is no such table.
std::optional<CompareOptions> readCompare(const ConfigReader& config);

/// Reads the keys `gpu` and `host` of a table.
CompareOptions readCompareOptions(const ConfigReader& table);

/// A comparison without a result: the GPU's name, its host, and its constants by provenance.
CompareResult emptyComparison(const CompareOptions& options);

/// Whether a time comes with its uncertainty, which takes some twenty times as long to compute.
enum class Band : std::uint8_t { Without, With };

/// The result of a program on that GPU, without a speed-up of an IPU.
GpuResult gpuResultOf(const CompareOptions& options, const gpu::Program& program, Flops flops,
                      Band band = Band::With);

/// The result of the workload on that GPU: without and with tensor cores, or in half. The time and
/// the verdict of `ipu` must be filled in.
CompareResult compareWithGpu(const CompareOptions& options,
                             const workloads::BuiltWorkload& workload, const RunResult& ipu);

/// Sets what layers take on that GPU, as far as operators of the program have their names.
void compareLayers(const CompareOptions& options, const gpu::Program& program,
                   std::vector<LayerResult>& layers);

}  // namespace ipusim::run
