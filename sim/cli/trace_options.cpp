// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/trace_options.h"

#include "sim/cli/help_texts.h"

namespace ipusim::cli {

CLI::App& TraceOptions::add(const char* name, const char* what) {
  return *trace_->add_subcommand(name, what);
}

void TraceOptions::addFile(CLI::App& command) {
  command.add_option("FILE", file_, "a trace: .ipt, .ipt.gz or .ipt.zst")->required();
}

void TraceOptions::addOverrides(CLI::App& command) {
  command.add_option("--set", overrides_, "another value for a key of the config")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
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
  addOverrides(*export_);
  export_->add_option("-o,--out", out_, "the file to write")->type_name("FILE")->required();
}

void TraceOptions::addDiff() {
  diff_ = &add("diff", "Set two results side by side: simulated, recorded or imported");
  diff_->add_option("A", file_, "a run config or a trace, to be simulated; a result; a profile")
      ->required();
  diff_->add_option("B", other_file_, "the same")->required();
  addOverrides(*diff_);
  diff_->add_flag("--json", json_, "print one JSON object in place of the table");
}

void TraceOptions::addTo(CLI::App& trace) {
  trace_ = &trace;
  trace_->require_subcommand(1);
  trace_->footer(kTraceExamples);
  record_ = &add("record", "Write the program of a run config as a trace");
  record_->add_option("CONFIG", file_, "a run config, TOML")->required();
  addOverrides(*record_);
  record_->add_option("-o,--out", out_, "the trace to write: .ipt, .ipt.gz or .ipt.zst")
      ->type_name("FILE")
      ->required();
  info_ = &add("info", "Say what a trace holds");
  addFile(*info_);
  check_ = &add("check", "Say whether a trace is right: its lines, regions, tiles and writers");
  addFile(*check_);
  addImport();
  addExport();
  addDiff();
}

std::vector<Override> TraceOptions::overrides() const {
  std::vector<Override> overrides;
  overrides.reserve(overrides_.size());
  for (const std::string& text : overrides_) overrides.push_back(Override::parse(text));
  return overrides;
}

TraceArguments TraceOptions::arguments() const {
  if (record_->parsed()) return TraceRecordArguments{file_, overrides(), out_};
  if (import_->parsed()) return TraceImportArguments{files_, chakra_, machine_, out_};
  if (export_->parsed()) return TraceExportArguments{file_, overrides(), out_};
  if (diff_->parsed()) {
    return TraceDiffArguments{file_, other_file_, overrides(), json_ ? Form::Json : Form::Table};
  }
  if (info_->parsed()) return TraceInfoArguments{file_};
  return TraceCheckArguments{file_};
}

}  // namespace ipusim::cli
