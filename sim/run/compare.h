// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "base/config_reader.h"
#include "models/gpu/program.h"
#include "sim/run/run_result.h"
#include "workloads/sources/workload.h"

namespace ipusim::run {

/// The GPU to compare with, and who launches its kernels.
struct CompareOptions {
  gpu::Machine machine;
  gpu::Host host = gpu::Host::None;
};

/// The table [compare] of a run: `gpu`, a preset or a path, and `host`: "none" (unless said),
/// "eager" or "graph". Nothing where there is no such table.
std::optional<CompareOptions> readCompare(const ConfigReader& config);

/// The keys `gpu` and `host` of a table.
CompareOptions readCompareOptions(const ConfigReader& table);

/// The GPU's name, its host and its constants by provenance, and no result.
CompareResult emptyComparison(const CompareOptions& options);

/// Whether a time comes with its uncertainty, which takes some twenty times as long.
enum class Band : std::uint8_t { Without, With };

/// A program on that GPU. No speed-up of an IPU.
GpuResult gpuResultOf(const CompareOptions& options, const gpu::Program& program, Flops flops,
                      Band band = Band::With);

/// The workload on that GPU, without tensor cores and with them. `ipu` is a result whose time and
/// verdict are filled in.
CompareResult compareWithGpu(const CompareOptions& options,
                             const workloads::BuiltWorkload& workload, const RunResult& ipu);

}  // namespace ipusim::run
