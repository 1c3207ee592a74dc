// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "ipusim/graph.h"
#include "models/ipu/machine/execution_record.h"
#include "models/ipu/machine/timing_mode.h"

namespace ipusim::workloads {

/// The version of the format. A reader takes this version only.
constexpr std::uint64_t kTraceVersion = 1;

/// What a trace says besides its program.
struct TraceHeader {
  std::string written_by;  ///< the tool and its version; empty when nobody says
  std::string machine;     ///< the machine that the program was made for; empty when nobody says
  /// Where no preset is that machine: the table of it that a config has, as JSON. `machine` is then
  /// empty.
  std::string machine_table = {};
  std::string workload;  ///< the kind of workload that the program was recorded from
  TimingMode timing = TimingMode::Program;
  /// Useful work. None: the work of all vertices.
  std::optional<Flops> flops = {};
  std::optional<Flops> nonzero_flops = {};
  double peak_flops_per_cycle = 0;
  std::string peak_units = {};  ///< the units that have this peak; empty when nobody said
};

/// A compute graph with its program, as a file holds it (docs/reference/trace.md).
struct Trace {
  TraceHeader header;
  Graph graph;
  /// For variables of an integer type: made-up values of the host stay below this.
  std::map<VariableId, std::uint64_t> below;
  std::optional<ExecutionRecord> record;
  std::uint64_t record_line = 0;  ///< the line of the file where the record stands
};

/// One past the highest tile that `graph` names.
std::uint32_t tilesNamed(const Graph& graph);

}  // namespace ipusim::workloads
