// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/trace/trace_workload.h"

#include <fmt/format.h>

#include <utility>

#include "base/text/message.h"
#include "ipusim/error.h"
#include "ipusim/version.h"
#include "workloads/sources/trace/trace_reader.h"

namespace ipusim::workloads {

namespace {

bool isWhole(ElementType type) {
  return type != ElementType::Half && type != ElementType::Float;
}

}  // namespace

BuiltWorkload buildTrace(const ConfigReader& config, const Architecture& machine) {
  const std::filesystem::path file = config.path("file");
  TraceLimits limits;
  if (config.has("limits")) limits = readTraceLimits(config.table("limits"));
  Trace trace = readTrace(file, machine, limits);
  const std::uint32_t tiles = tilesNamed(trace.graph);
  if (tiles > machine.tiles) {
    throw config.error("file", fmt::format("a trace for at most the {} tiles of the machine (it "
                                           "names {} tiles)",
                                           machine.tiles, tiles));
  }
  BuiltWorkload built;
  built.graph = std::move(trace.graph);
  built.program = std::exchange(built.graph.program(), Program());
  built.record = std::move(trace.record);
  built.record_line = trace.record_line;
  built.source = file.string();
  built.below = std::move(trace.below);
  built.flops = trace.header.flops;
  built.nonzero_flops = trace.header.nonzero_flops;
  built.peak_flops_per_cycle = trace.header.peak_flops_per_cycle;
  built.peak_units = std::move(trace.header.peak_units);
  built.timing = trace.header.timing;
  return built;
}

Trace traceOf(BuiltWorkload&& built, const std::string& workload, const std::string& machine) {
  Trace trace;
  trace.header.written_by = std::string("ipusim ") + libraryVersion();
  trace.header.machine = machine;
  trace.header.workload = workload;
  trace.header.timing = built.timing;
  trace.header.flops = built.flops;
  trace.header.nonzero_flops = built.nonzero_flops;
  trace.header.peak_flops_per_cycle = built.peak_flops_per_cycle;
  trace.header.peak_units = built.peak_units;
  if (built.host) {
    for (const HostTensor& input : built.host().inputs) {
      if (!isWhole(input.tensor.type())) continue;
      for (const Tensor::Piece& piece : input.tensor.pieces()) {
        trace.below[piece.variable] = input.below;
      }
    }
  }
  trace.graph = std::move(built.graph);
  trace.record = std::move(built.record);
  trace.below.merge(built.below);
  return trace;
}

}  // namespace ipusim::workloads
