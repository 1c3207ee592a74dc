// SPDX-License-Identifier: Apache-2.0
#include "workloads/sources/trace/trace_writer.h"

#include "workloads/sources/tile_list.h"
#include "workloads/sources/trace/graph_writer.h"
#include "workloads/sources/trace/trace_words.h"

namespace ipusim::workloads {

namespace {

template <typename Value>
void writeIterations(const char* key, const std::vector<PerIteration<Value>>& all, JsonText& json) {
  if (all.empty()) return;
  json.key(key).open('[');
  for (const PerIteration<Value>& one : all) {
    json.open('[');
    one.forEachRun([&json](const Value& value, std::uint64_t times) {
      if (times == 1) {
        json.number(value);
      } else {
        json.open('[').number(value).number(times).close(']');
      }
    });
    json.close(']');
  }
  json.close(']');
}

/// Writes [tiles, cycles] pairs.
void writeTable(const CyclesByTile& table, JsonText& json) {
  json.open('[');
  for (auto first = table.begin(); first != table.end();) {
    TileList tiles;
    auto last = first;
    for (; last != table.end() && last->second == first->second; ++last) {
      tiles.add(last->first.tile());
    }
    json.open('[').value(tiles.text()).number(first->second.value()).close(']');
    first = last;
  }
  json.close(']');
}

void writeMeasured(const std::vector<MeasuredStep>& measured, JsonText& json) {
  if (measured.empty()) return;
  json.key("cycles").open('[');
  for (const MeasuredStep& one : measured) {
    json.open('{');
    if (const auto* name = std::get_if<std::string>(&one.step)) {
      json.textAt("step", *name);
    } else {
      json.numberAt("step", indexOf(std::get<StepId>(one.step)));
    }
    if (const auto* all = std::get_if<Cycles>(&one.cycles)) {
      json.numberAt("cycles", all->value());
    } else {
      json.key("cycles");
      writeTable(std::get<CyclesByTile>(one.cycles), json);
    }
    json.close('}');
  }
  json.close(']');
}

}  // namespace

void writeHeader(const TraceHeader& header, JsonText& json) {
  json.open('{').numberAt("ipt", kTraceVersion);
  if (!header.written_by.empty()) json.textAt("written_by", header.written_by);
  if (!header.machine_table.empty()) {
    json.rawAt("machine", header.machine_table);
  } else if (!header.machine.empty()) {
    json.textAt("machine", header.machine);
  }
  if (!header.workload.empty()) json.textAt("workload", header.workload);
  if (header.timing != TimingMode::Program) {
    json.textAt("timing", wordOf(header.timing, kTimingWords));
  }
  if (header.flops) json.numberAt("flops", header.flops->value());
  if (header.nonzero_flops) json.numberAt("nonzero_flops", header.nonzero_flops->value());
  if (header.peak_flops_per_cycle > 0) {
    json.numberAt("peak_flops_per_cycle", header.peak_flops_per_cycle);
  }
  if (!header.peak_units.empty()) json.textAt("peak_units", header.peak_units);
  json.close('}').endLine();
}

void writeRecord(const ExecutionRecord& record, JsonText& json) {
  json.open('{').key("record").open('{');
  writeIterations("branches", record.branches, json);
  writeIterations("trips", record.trips, json);
  writeMeasured(record.measured, json);
  json.close('}').close('}').endLine();
}

std::string traceText(const Trace& trace, const Architecture& machine) {
  std::string text;
  JsonText json(text);
  const Graph& graph = trace.graph;
  writeHeader(trace.header, json);
  for (std::size_t v = 0; v < graph.variables().size(); ++v) {
    const auto below = trace.below.find(static_cast<VariableId>(v));
    writeVariable(graph.variables()[v], below == trace.below.end() ? 0 : below->second, json);
  }
  TypeWriter types(text, machine);
  for (const ComputeSet& set : graph.computeSets()) writeComputeSet(set, types, json);
  for (const CopyStep& copy : graph.copies()) writeCopy(copy, json);
  for (const HostStream& stream : graph.streams()) writeStream(stream, json);
  for (const RemoteBuffer& buffer : graph.remoteBuffers()) writeRemoteBuffer(buffer, json);
  for (const RemoteCopy& copy : graph.remoteCopies()) writeRemoteCopy(copy, json);
  if (!graph.ioTiles().empty()) writeIoTiles(graph.ioTiles(), json);
  for (std::size_t f = 0; f < graph.functions().size(); ++f) {
    json.open('{').textAt("function", 'f' + std::to_string(f)).key("program");
    writeSteps(graph.functions()[f], json);
    json.close('}').endLine();
  }
  json.open('{').key("program");
  writeSteps(graph.program(), json);
  json.close('}').endLine();
  if (trace.record) writeRecord(*trace.record, json);
  return text;
}

}  // namespace ipusim::workloads
