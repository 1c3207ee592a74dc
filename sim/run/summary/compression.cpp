// SPDX-License-Identifier: Apache-2.0
#include "sim/run/summary/compression.h"

#include <string>

namespace ipusim::run {

namespace {

/// The cycles of all steps with a part of their name, loops included.
std::uint64_t cyclesOf(const std::vector<StepResult>& steps, const char* part) {
  Cycles cycles;
  for (const StepResult& step : steps) {
    if (step.name.find(part) != std::string::npos) cycles += step.cycles;
  }
  return cycles.value();
}

}  // namespace

CompressionResult compressionOf(const workloads::CompressionSummary& summary,
                                std::uint64_t training_steps, const Result& result) {
  CompressionResult compression{summary,
                                Cycles(cyclesOf(result.steps, "/encode/") / training_steps),
                                Cycles(cyclesOf(result.steps, "/decode/") / training_steps),
                                {},
                                {}};
  Bytes bytes;
  for (const auto& tensor : summary.tensors) bytes += tensor.before;
  const auto rate = [&](Cycles cycles) -> std::optional<double> {
    if (cycles == Cycles(0)) return std::nullopt;
    return static_cast<double>(bytes.value()) * result.machine.clock_hz /
           static_cast<double>(cycles.value());
  };
  compression.encode_bytes_per_second = rate(compression.encode);
  compression.decode_bytes_per_second = rate(compression.decode);
  return compression;
}

}  // namespace ipusim::run
