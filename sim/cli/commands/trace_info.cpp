// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/commands/trace_info.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/text/json.h"
#include "base/text/message.h"
#include "sim/report/text/quantity.h"
#include "sim/run/host_cost.h"

namespace ipusim::cli {

namespace {

/// Counts the steps that a program is written with. A step in a loop counts once.
struct StepCounter {
  std::uint64_t steps = 0;     ///< compute sets, copies, streams and transfers
  std::uint64_t loops = 0;     ///< repeats of a known count
  std::uint64_t calls = 0;     ///< of functions
  std::uint64_t branches = 0;  ///< ifs, switches and loops whose count depends on data

  void operator()(const Sequence& step) { walk(step, *this); }
  void operator()(const Execute& /*step*/) { ++steps; }
  void operator()(const Copy& /*step*/) { ++steps; }
  void operator()(const Stream& /*step*/) { ++steps; }
  void operator()(const Remote& /*step*/) { ++steps; }
  void operator()(const Overlap& step) {
    ++steps;
    walk(step.body, *this);
  }
  void operator()(const WriteUndef& /*step*/) {}
  void operator()(const Call& /*step*/) { ++calls; }
  void operator()(const Repeat& step) {
    ++loops;
    walk(step.body, *this);
  }
  void operator()(const If& step) {
    ++branches;
    walk(step.then, *this);
    walk(step.otherwise, *this);
  }
  void operator()(const Switch& step) {
    ++branches;
    for (const Switch::Case& one : step.cases) walk(one.body, *this);
    walk(step.otherwise, *this);
  }
  void operator()(const RepeatWhile& step) {
    ++branches;
    walk(step.condition, *this);
    walk(step.body, *this);
  }
};

StepCounter stepsOf(const Graph& graph) {
  StepCounter counter;
  walk(graph.program(), counter);
  for (const Program& function : graph.functions()) walk(function, counter);
  return counter;
}

using Counts = std::vector<std::pair<const char*, std::uint64_t>>;

/// What is counted, by the names of the lines that say it.
Counts countsOf(const workloads::Trace& trace) {
  const Graph& graph = trace.graph;
  const std::uint32_t tiles = workloads::tilesNamed(graph);
  const run::HostWork work = run::hostWork(graph, tiles);
  const StepCounter steps = stepsOf(graph);
  return {{"tiles", tiles},
          {"variables", graph.variables().size()},
          {"bytes", work.data.value()},
          {"compute sets", graph.computeSets().size()},
          {"vertices", work.vertices},
          {"copies", graph.copies().size()},
          {"streams", graph.streams().size()},
          {"remote buffers", graph.remoteBuffers().size()},
          {"remote copies", graph.remoteCopies().size()},
          {"I/O tiles", graph.ioTiles().size()},
          {"steps", steps.steps},
          {"loops", steps.loops},
          {"branches", steps.branches},
          {"functions", graph.functions().size()},
          {"calls", steps.calls},
          {"measured steps", trace.record ? trace.record->measured.size() : 0}};
}

std::string machineText(const workloads::TraceHeader& header) {
  return header.machine_table.empty() ? header.machine : header.machine_table;
}

std::string infoText(const workloads::Trace& trace, const std::string& file) {
  std::string answer = fmt::format("{}\n", oneLine(file));
  const auto line = [&answer](const char* name, const std::string& value) {
    answer += fmt::format("  {:<16}{}\n", name, value.empty() ? "not said" : oneLine(value));
  };
  const workloads::TraceHeader& header = trace.header;
  line("written by", header.written_by);
  line("workload", header.workload);
  line("machine", machineText(header));
  line("useful work", header.flops ? report::workText(*header.flops) : "that of all vertices");
  for (const auto& [name, count] : countsOf(trace)) line(name, report::countText(count));
  return answer;
}

std::string infoJson(const workloads::Trace& trace) {
  const workloads::TraceHeader& header = trace.header;
  const auto or_null = [](const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
  };
  Json json;
  json["written_by"] = or_null(header.written_by);
  json["workload"] = or_null(header.workload);
  json["machine"] =
      header.machine_table.empty() ? or_null(header.machine) : Json::parse(header.machine_table);
  json["flops"] = header.flops ? Json(header.flops->value()) : Json(nullptr);
  for (const auto& [name, count] : countsOf(trace)) {
    std::string key = name == std::string("I/O tiles") ? "io_tiles" : name;
    std::replace(key.begin(), key.end(), ' ', '_');
    json[key] = count;
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string infoOf(const workloads::Trace& trace, const std::string& file, Form form) {
  return form == Form::Json ? infoJson(trace) : infoText(trace, file);
}

}  // namespace ipusim::cli
