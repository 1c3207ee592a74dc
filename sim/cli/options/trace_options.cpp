// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/options/trace_options.h"

#include <fmt/format.h>

#include "base/text/message.h"
#include "sim/cli/help/help_texts.h"
#include "sim/cli/options/argument_values.h"

namespace ipusim::cli {

CLI::App& TraceOptions::add(const char* name, const char* what) {
  return *trace_.add_subcommand(name, what);
}

void TraceOptions::addFile(CLI::App& command) {
  command.add_option("FILE", file_, "a trace: .ipt, .ipt.gz or .ipt.zst")->required();
  addTraceLimits(command);
}

void TraceOptions::addTraceLimits(CLI::App& command) {
  addRepeated(command, "--limit", limits_,
              "what a trace may hold: edges, line_bytes, nesting, number, replayed_steps, "
              "steps, tiles, variables or vertices")
      .type_name("KEY=NUMBER");
}

void TraceOptions::addImport() {
  import_ = &add("import", "Read a profile of a real machine, or a Chakra trace");
  import_
      ->add_option("FILE", files_,
                   "graph profile and execution profile as JSON, or the text of a profile summary")
      ->required();
  import_->add_flag("--chakra", chakra_, "FILE is a Chakra trace, and --out becomes a trace");
  import_->add_option("--machine", machine_, "with --chakra: a preset; gc200 unless said")
      ->type_name("NAME");
  import_->add_option("-o,--out", out_, "the result to write, JSON; with --chakra the trace, .ipt")
      ->type_name("FILE")
      ->required();
}

void TraceOptions::addExport() {
  export_ = &add("export", "Write a compiled program with its times for another simulator");
  export_->add_option("PROGRAM", file_, "a run config or a trace")->required();
  export_->add_flag("--chakra", chakra_, "as a Chakra execution trace, JSON")->required();
  settings_.addTo(*export_);
  addTraceLimits(*export_);
  export_->add_option("-o,--out", out_, "the file to write")->type_name("FILE")->required();
}

void TraceOptions::addDiff() {
  diff_ = &add("diff", "Say what differs between two traces, or between two results");
  diff_->add_option("A", file_, "a trace; a run config, to be simulated; a result; a profile")
      ->required();
  diff_->add_option("B", other_, "the same")->required();
  diff_->add_flag("--results", results_, "simulate two traces, and set their results side by side");
  settings_.addTo(*diff_);
  addTraceLimits(*diff_);
  json_.addTo(*diff_);
}

TraceOptions::TraceOptions(CLI::App& trace) : trace_(trace) {
  trace_.require_subcommand(1);
  trace_.footer(kTraceExamples);
  record_ = &add("record", "Write the program of a run config as a trace");
  record_->add_option("CONFIG", file_, "a run config, TOML")->required();
  settings_.addTo(*record_);
  addOut(*record_);
  info_ = &add("info", "Say what a trace holds");
  addFile(*info_);
  json_.addTo(*info_);
  check_ = &add("check", "Say whether a trace is right: its lines, and whether it could be run");
  addFile(*check_);
  addImport();
  addExport();
  addDiff();
  addTransform();
  for (CLI::App* subcommand : trace_.get_subcommands({})) host_limits_.addTo(*subcommand);
}

void TraceOptions::addOut(CLI::App& command) {
  command.add_option("-o,--out", out_, "the trace to write: .ipt, .ipt.gz or .ipt.zst")
      ->type_name("FILE")
      ->required();
}

void TraceOptions::addTransform() {
  transform_ = &add("transform", "Make another program of a trace, for what-if questions");
  addFile(*transform_);
  addOut(*transform_);
  transform_->add_option("--tiles", tiles_, "spread what is spread over all tiles over so many")
      ->type_name("N");
  transform_->add_flag("--half", half_, "half in place of float");
  transform_
      ->add_option("--scale-cycles", factor_, "so many times the cycles of vertices, from 0 on")
      ->type_name("FACTOR");
  transform_
      ->add_option("--vertex", vertex_,
                   "the name of the vertex type whose cycles are scaled, all unless said")
      ->type_name("NAME");
}

TraceTransformArguments TraceOptions::transformArguments() const {
  TraceTransformArguments arguments{file_, out_, {}, half_, {}, vertex_};
  const auto wrong = [](const char* option, const char* wanted, const std::string& found) {
    return ConfigError(fmt::format("ipusim trace transform: {}: wanted {}, found {}", option,
                                   wanted, inQuotes(found)));
  };
  if (!tiles_.empty()) {
    arguments.tiles = numberIn<std::uint64_t>(tiles_);
    constexpr std::uint64_t kMostTiles = 1U << 20U;
    if (!arguments.tiles || *arguments.tiles == 0 || *arguments.tiles > kMostTiles) {
      throw wrong("--tiles", "a whole number in [1, 1048576]", tiles_);
    }
  }
  if (!factor_.empty()) {
    arguments.cycles_factor = numberIn<double>(factor_);
    constexpr double kMostFactor = 1e9;
    if (!arguments.cycles_factor || !(*arguments.cycles_factor >= 0) ||
        *arguments.cycles_factor > kMostFactor) {
      throw wrong("--scale-cycles", "a number in [0, 1e9]", factor_);
    }
  }
  if (!vertex_.empty() && !arguments.cycles_factor) {
    throw wrong("--vertex", "--scale-cycles beside it", vertex_);
  }
  if (!arguments.tiles && !half_ && !arguments.cycles_factor) {
    throw ConfigError(
        "ipusim trace transform: wanted --tiles, --half or --scale-cycles, found none");
  }
  return arguments;
}

Arguments TraceOptions::arguments() const {
  for (const std::string& limit : limits_) {
    if (limit.find('=') == std::string::npos) {
      throw ConfigError(fmt::format("--limit {}: wanted KEY=NUMBER, found no =", oneLine(limit)));
    }
  }
  return TraceArguments{subcommand(), parseOverrides(limits_), host_limits_.limits()};
}

decltype(TraceArguments::subcommand) TraceOptions::subcommand() const {
  if (record_->parsed()) return TraceRecordArguments{file_, settings_.overrides(), out_};
  if (import_->parsed()) return TraceImportArguments{files_, chakra_, machine_, out_};
  if (export_->parsed()) return TraceExportArguments{file_, settings_.overrides(), out_};
  if (diff_->parsed()) {
    return TraceDiffArguments{file_, other_, results_, settings_.overrides(), json_.form()};
  }
  if (transform_->parsed()) return transformArguments();
  if (info_->parsed()) return TraceInfoArguments{file_, json_.form()};
  return TraceCheckArguments{file_};
}

OptionsPointer traceOptions(CLI::App& command) {
  return std::make_unique<TraceOptions>(command);
}

}  // namespace ipusim::cli
