// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/message.h"
#include "base/write_file.h"
#include "models/ipu/system/machine_reader.h"
#include "sim/cli/commands.h"
#include "sim/cli/run_watch.h"
#include "sim/cli/terminal.h"
#include "sim/cli/trace_file.h"
#include "sim/cli/trace_results.h"
#include "sim/parallel/pipeline/settings.h"
#include "sim/report/gpu_alone.h"
#include "sim/report/quantity.h"
#include "sim/run/host_cost.h"
#include "sim/run/simulate.h"
#include "workloads/sources/trace/byte_source.h"
#include "workloads/sources/trace/trace_workload.h"
#include "workloads/sources/trace/trace_writer.h"
#include "workloads/sources/trace/transform.h"

namespace ipusim::cli {

namespace {

/// Says that a transformed program has lost the measured cycles of the program that it was made
/// from.
std::string leftOut(const workloads::Trace& trace) {
  if (!trace.record || trace.record->measured.empty()) return "";
  return fmt::format(
      "Left out: the measured cycles of {}, which are those of the program that was measured.\n",
      run::countOf(trace.record->measured.size(), "step"));
}

/// Does what a subcommand says, and returns its answer.
struct Dispatch {
  const std::vector<Override>& limits;
  RunWatch& watch;

  std::string operator()(const TraceRecordArguments& arguments) const {
    const auto config =
        ConfigReader::fromFile(findConfigFile(arguments.config, {}), arguments.overrides);
    if (run::isGpuAlone(config)) throw config.error("gpu", "an IPU, which runs programs of traces");
    if (parallel::isParallel(config)) {
      throw config.error("parallel", "a config without it: a trace is of one IPU");
    }
    run::BuiltConfig built = run::build(config);
    const workloads::Trace trace =
        workloads::traceOf(std::move(built.workload), built.workload_kind, built.machine.name);
    writeFile(arguments.out,
              workloads::compressedFor(arguments.out, workloads::traceText(trace, built.machine)));
    return "";
  }

  std::string operator()(const TraceInfoArguments& arguments) const {
    const workloads::Trace trace = readTraceFile(arguments.file, limits);
    const std::uint32_t tiles = workloads::tilesNamed(trace.graph);
    const run::HostWork work = run::hostWork(trace.graph, tiles);
    std::string answer = fmt::format("{}\n", oneLine(arguments.file));
    const auto line = [&answer](const char* name, const std::string& value) {
      answer += fmt::format("  {:<16}{}\n", name, value);
    };
    const auto or_none = [](const std::string& text) {
      return text.empty() ? std::string("not said") : oneLine(text);
    };
    line("written by", or_none(trace.header.written_by));
    line("workload", or_none(trace.header.workload));
    line("machine", or_none(trace.header.machine));
    line("tiles", std::to_string(tiles));
    line("variables", run::countText(trace.graph.variables().size()));
    line("compute sets", run::countText(trace.graph.computeSets().size()));
    line("vertices", run::countText(work.vertices));
    line("copies", run::countText(trace.graph.copies().size()));
    line("streams", run::countText(trace.graph.streams().size()));
    if (trace.record) line("measured steps", run::countText(trace.record->measured.size()));
    return answer;
  }

  std::string operator()(const TraceCheckArguments& arguments) const {
    const run::BuiltConfig built = run::replayProgram(readRunConfig(arguments.file, {}, limits));
    const std::uint32_t tiles = workloads::tilesNamed(built.workload.graph);
    return fmt::format("{}: right, a program for {}\n", oneLine(arguments.file),
                       run::countOf(tiles, "tile"));
  }

  std::string operator()(const TraceImportArguments& arguments) const {
    return traceImport(arguments);
  }
  std::string operator()(const TraceExportArguments& arguments) const {
    return traceExport(arguments, limits, watch);
  }
  std::string operator()(const TraceDiffArguments& arguments) const {
    return traceDiff(arguments, limits, watch);
  }

  std::string operator()(const TraceTransformArguments& arguments) const {
    workloads::Trace trace = readTraceFile(arguments.file, limits);
    std::string answer = leftOut(trace);
    const Machine machine = machineOf(trace.header);
    if (arguments.half) trace = workloads::halved(trace, machine);
    if (arguments.tiles) {
      const auto tiles = static_cast<std::uint32_t>(*arguments.tiles);
      trace = workloads::retargeted(trace, tiles, machine);
    }
    if (arguments.cycles_factor) {
      trace =
          workloads::withScaledCycles(trace, *arguments.cycles_factor, arguments.vertex, machine);
    }
    const std::string text = workloads::traceText(trace, machine);
    expectLegalTrace(text, machine, arguments.file, limits);
    writeFile(arguments.out, workloads::compressedFor(arguments.out, text));
    return answer;
  }
};

}  // namespace

ExitCode traceCommand(const TraceArguments& arguments) {
  std::string answer;
  {
    RunWatch watch(arguments.limits, Engine::ClosedForm);
    answer = std::visit(Dispatch{arguments.trace_limits, watch}, arguments.subcommand);
  }
  print(answer);
  return ExitCode::Done;
}

}  // namespace ipusim::cli
