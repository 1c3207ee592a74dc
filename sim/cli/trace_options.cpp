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

void TraceOptions::addTo(CLI::App& app) {
  trace_ = app.add_subcommand("trace", "Programs as files: record, describe and check traces");
  trace_->require_subcommand(1);
  trace_->footer(kTraceExamples);
  record_ = &add("record", "Write the program of a run config as a trace");
  record_->add_option("CONFIG", file_, "a run config, TOML")->required();
  record_->add_option("--set", overrides_, "another value for a key of the config")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  record_->add_option("-o,--out", out_, "the trace to write: .ipt, .ipt.gz or .ipt.zst")
      ->type_name("FILE")
      ->required();
  info_ = &add("info", "Say what a trace holds");
  addFile(*info_);
  check_ = &add("check", "Say whether a trace is right: its lines, regions, tiles and writers");
  addFile(*check_);
}

TraceArguments TraceOptions::arguments() const {
  if (record_->parsed()) {
    std::vector<Override> overrides;
    for (const std::string& text : overrides_) overrides.push_back(Override::parse(text));
    return TraceRecordArguments{file_, overrides, out_};
  }
  if (info_->parsed()) return TraceInfoArguments{file_};
  return TraceCheckArguments{file_};
}

}  // namespace ipusim::cli
