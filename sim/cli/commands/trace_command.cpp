// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "base/error_boundary.h"
#include "base/files/write_file.h"
#include "base/text/message.h"
#include "models/ipu/machine/machine_reader.h"
#include "sim/answer/run_kind.h"
#include "sim/cli/commands/commands.h"
#include "sim/cli/commands/config_file.h"
#include "sim/cli/commands/output_files.h"
#include "sim/cli/commands/trace_file.h"
#include "sim/cli/commands/trace_info.h"
#include "sim/cli/commands/trace_results.h"
#include "sim/cli/watch/run_watch.h"
#include "sim/cli/watch/terminal.h"
#include "sim/report/text/quantity.h"
#include "sim/run/replay.h"
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
      report::countOf(trace.record->measured.size(), "step"));
}

/// Says in the trace what the config says about its machine, where that is more than the name of
/// a preset.
void tellMachine(const ConfigReader& config, workloads::TraceHeader& header) {
  if (config.isTable("machine")) {
    header.machine.clear();
    header.machine_table = config.table("machine").values().text();
  } else {
    header.machine = config.text("machine");
  }
}

/// The trace as the options want it. Errors name the file: a transformation knows only the program.
workloads::Trace transformed(workloads::Trace trace, const Architecture& machine,
                             const TraceTransformArguments& arguments) {
  const auto transform = [&] {
    if (arguments.half) trace = workloads::halved(trace, machine);
    if (arguments.tiles) {
      const auto tiles = static_cast<std::uint32_t>(*arguments.tiles);
      trace = workloads::retargeted(trace, tiles, machine);
    }
    if (!arguments.cycles_factor) return std::move(trace);
    return workloads::withScaledCycles(trace, *arguments.cycles_factor, arguments.vertex, machine);
  };
  return translateErrors<ConfigError>(transform, [&](const ConfigError& error) {
    return ConfigError(fmt::format("{}: {}", oneLine(arguments.file, kPathLength), error.what()));
  });
}

/// Does what a subcommand says, and returns its answer.
struct TraceDispatch {
  const std::vector<Override>& limits;
  RunWatch& watch;

  std::string operator()(const TraceRecordArguments& arguments) const {
    OutputFiles().add("-o", arguments.out).expectApart({arguments.config});
    const auto config =
        ConfigReader::fromFile(findConfigFile(arguments.config, {}), arguments.overrides);
    answer::expectProgram(
        config,
        {"an IPU, which runs programs of traces",
         "a config without it: a trace is one program, and each stage of training is another"});
    run::BuiltConfig built = run::build(config);
    workloads::Trace trace = workloads::traceOf(std::move(built.workload), built.workload_kind,
                                                built.system.machineName());
    tellMachine(config, trace.header);
    writeFile(arguments.out,
              workloads::compressedFor(arguments.out,
                                       workloads::traceText(trace, built.system.allTiles())));
    return "";
  }

  std::string operator()(const TraceInfoArguments& arguments) const {
    return infoOf(readTraceFile(arguments.file, limits), arguments.file, arguments.form);
  }

  std::string operator()(const TraceCheckArguments& arguments) const {
    const run::ReplayedProgram replayed =
        run::replayProgram(readRunConfig(arguments.file, {}, limits));
    const std::uint32_t tiles = workloads::tilesNamed(replayed.built.workload.graph);
    return fmt::format(
        "{}: right, a program for {}{}\n", oneLine(arguments.file), report::countOf(tiles, "tile"),
        replayed.checked_all ? "" : "; it moves so much that only a run looks at all its steps");
  }

  std::string operator()(const TraceImportArguments& arguments) const {
    OutputFiles().add("-o", arguments.out).expectApart(arguments.files);
    return traceImport(arguments);
  }
  std::string operator()(const TraceExportArguments& arguments) const {
    OutputFiles().add("-o", arguments.out).expectApart({arguments.program});
    return traceExport(arguments, limits, watch);
  }
  std::string operator()(const TraceDiffArguments& arguments) const {
    return traceDiff(arguments, limits, watch);
  }

  std::string operator()(const TraceTransformArguments& arguments) const {
    OutputFiles().add("-o", arguments.out).expectApart({arguments.file});
    workloads::Trace trace = readTraceFile(arguments.file, limits);
    std::string answer = leftOut(trace);
    const Architecture machine = machineOf(trace.header, arguments.file);
    trace = transformed(std::move(trace), machine, arguments);
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
    answer = std::visit(TraceDispatch{arguments.trace_limits, watch}, arguments.subcommand);
  }
  print(answer);
  return ExitCode::Done;
}

}  // namespace ipusim::cli
