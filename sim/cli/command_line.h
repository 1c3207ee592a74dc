// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ipusim/error.h"
#include "ipusim/result.h"
#include "sim/cli/poplar_options.h"
#include "sim/cli/trace_options.h"

namespace ipusim::cli {

/// Where `reproduce` puts what it makes unless said.
constexpr const char* kUsualReproduction = "results/reproduce";

/// What stands on the command line, as texts and flags. None or empty: it does not stand there.
struct OptionTexts {
  std::string config;
  std::vector<std::string> overrides;
  std::vector<std::string> overrides_of_a;
  std::vector<std::string> overrides_of_b;
  std::optional<std::string> engine;
  std::vector<std::string> measurements;
  bool json = false;
  bool markdown = false;
  bool stats = false;
  bool every_chip = false;
  bool all = false;
  std::optional<std::string> sort;
  std::optional<std::string> width;
  bool strict = false;
  std::optional<std::string> out;
  std::optional<std::string> report;
  std::optional<std::string> timeline;
  std::optional<std::string> timeline_tiles;
  std::optional<std::string> vcd;
  std::optional<std::string> vcd_tiles;
  std::string other;
  std::optional<std::string> advice_time;
  bool no_advice = false;
  std::optional<std::string> cache;
  std::optional<std::string> cache_size;
  std::optional<std::string> jobs;
  std::optional<std::string> timeout;
  std::optional<std::string> max_time;
  std::optional<std::string> max_memory;
  std::optional<std::string> shard;
  std::vector<std::string> folders;
  bool dry_run = false;
  std::optional<std::string> paper;
  std::vector<std::string> items;
  bool no_plots = false;
  std::string listing;
  std::optional<std::string> kind;
  std::optional<std::string> file;
  std::optional<std::string> explain;
  std::string generated;
  std::optional<std::string> simgrid;
  bool check = false;
};

/// The commands and their options, with the texts that they are given.
class CommandLine {
 public:
  CommandLine();

  /// Reads the command line. Returns the text that it asks for, if any: help or the version. Throws
  /// ConfigError of one line for a command or an option that there is not.
  std::optional<std::string> parse(int argc, char** argv);

  [[nodiscard]] const OptionTexts& texts() const { return texts_; }
  [[nodiscard]] const TraceOptions& trace() const { return trace_; }
  [[nodiscard]] const PoplarOptions& poplar() const { return poplar_; }
  /// The name of the command; empty where there is none.
  [[nodiscard]] std::string command() const;
  /// All commands and options there are, for pages that are made of them.
  [[nodiscard]] const CLI::App& app() const { return app_; }
  /// The error of a command line that is wrong in this way.
  [[nodiscard]] ConfigError wrong(const std::string& what) const;

 private:
  CLI::App& addCommand(const char* name, const char* what);
  void addRun();
  void addCheck();
  void addSweep();
  void addExplore();
  void addMerge();
  void addValidate();
  void addCalibrate();
  void addReproduce();
  void addTrace();
  void addPoplar();
  void addDiff();
  void addRedistribute();
  void addList();
  void addNew();
  void addGenerate();

  void addConfig(CLI::App& command, const char* what);
  void addOverrides(CLI::App& command);
  void addExplain(CLI::App& command);
  void addEngine(CLI::App& command, Engine usual);
  void addTable(CLI::App& command);
  void addReport(CLI::App& command, const char* what);
  void addAdvice(CLI::App& command);
  void addCache(CLI::App& command);
  void addMaxMemory(CLI::App& command, const char* what);
  void addLimits(CLI::App& command);
  void addStore(CLI::App& command, const char* folder);

  [[nodiscard]] ConfigError noCommand(const CLI::App& parent,
                                      const std::vector<std::string>& rest) const;
  void expectSubcommand() const;

  CLI::App app_;
  OptionTexts texts_;
  TraceOptions trace_;
  PoplarOptions poplar_;
};

}  // namespace ipusim::cli
