// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ipusim/version.h"
#include "sim/cli/choices.h"
#include "sim/cli/help_texts.h"
#include "sim/studies/reproduce/paper.h"

namespace ipusim::cli {

CommandLine::CommandLine() : app_(kAbout, "ipusim") {
  app_.set_version_flag("--version",
                        fmt::format("ipusim {} ({})", libraryVersion(), libraryCommit()));
  app_.footer(kExamples);
  addRun();
  addCheck();
  addSweep();
  addExplore();
  addMerge();
  addValidate();
  addCalibrate();
  addReproduce();
  addTrace();
  addDiff();
  addRedistribute();
  addPoplar();
  addList();
  addNew();
  addGenerate();
  addExplain(app_);
  app_.prefix_command();  // `noCommand` reports an unknown command
}

CLI::App& CommandLine::addCommand(const char* name, const char* what) {
  return *app_.add_subcommand(name, what);
}

void CommandLine::addConfig(CLI::App& command, const char* what) {
  command.add_option("CONFIG", texts_.config, what)->required();
}

namespace {

/// Adds an option that may be repeated, once for each key.
void addSetting(CLI::App& command, const char* option, std::vector<std::string>& texts,
                const char* what) {
  command.add_option(option, texts, what)
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

}  // namespace

void CommandLine::addOverrides(CLI::App& command) {
  addSetting(command, "--set", texts_.overrides, "another value for a key of the config");
}

/// Adds the option that asks for the meaning of a key.
void CommandLine::addExplain(CLI::App& command) {
  command
      .add_option("--explain", texts_.explain, "say what a key of a config means, and run nothing")
      ->type_name("KEY");
}

void CommandLine::addEngine(CLI::App& command, Engine usual) {
  command
      .add_option("--engine", texts_.engine,
                  fmt::format("what computes the times, {} unless said", nameOf(usual)))
      ->type_name("systemc|closed-form");
}

void CommandLine::addCache(CLI::App& command) {
  command
      .add_option(
          "--cache", texts_.cache,
          "a folder that keeps plans and schedules between runs, the one of IPUSIM_CACHE unless "
          "said")
      ->type_name("DIR");
  command
      .add_option("--cache-size", texts_.cache_size,
                  "what that folder may take, as 4G or 512M, 1G unless said")
      ->type_name("SIZE");
}

/// Adds the option for the memory of a run, or of each point.
void CommandLine::addMaxMemory(CLI::App& command, const char* what) {
  command.add_option("--max-memory", texts_.max_memory, what)->type_name("SIZE");
}

/// Adds the options for what a run may take of this computer.
void CommandLine::addLimits(CLI::App& command) {
  command
      .add_option("--max-time", texts_.max_time,
                  "what the run may take, as 30s, 10m or 2h, no limit unless said")
      ->type_name("DURATION");
  addMaxMemory(command, "what the run may hold, as 4G or 512M, no limit unless said");
}

/// Adds the option for the page of a command.
void CommandLine::addReport(CLI::App& command, const char* what) {
  command.add_option("--report", texts_.report, what)->type_name("FILE.html");
}

void CommandLine::addTrace() {
  CLI::App& command = addCommand("trace", "Programs as files: record, describe and check traces");
  trace_.addTo(command);
  for (CLI::App* subcommand : command.get_subcommands({})) addLimits(*subcommand);
}

void CommandLine::addPoplar() {
  poplar_.addTo(addCommand("poplar", "Programs written for Poplar: compile, run and replay them"));
  addEngine(poplar_.replay(), Engine::SystemC);
  poplar_.replay().add_flag("--json", texts_.json, "print an array of JSON in place of the tables");
  addLimits(poplar_.replay());
}

/// Adds the options that say what the table of a run shows.
void CommandLine::addTable(CLI::App& command) {
  command.add_flag("--all", texts_.all,
                   "every step, every sync and every variable of the fullest tile in the table");
  command.add_option("--sort", texts_.sort, "the order of the steps in it, program unless said")
      ->type_name("program|cycles|bytes");
  command
      .add_option("--width", texts_.width,
                  fmt::format("its columns, {} to {}, those of the terminal or {} unless said",
                              run::kNarrowest, run::kWidest, run::kPageWidth))
      ->type_name("N");
}

/// Adds the options for what is tried on a program that does not fit.
void CommandLine::addAdvice(CLI::App& command) {
  command
      .add_option("--advice-time", texts_.advice_time,
                  "what trying changes of a program that does not fit may take, 20s unless said")
      ->type_name("DURATION");
  command.add_flag("--no-advice", texts_.no_advice,
                   "try no changes of such a program and no padded sizes");
}

void CommandLine::addRun() {
  CLI::App& command = addCommand("run", "Run one config: what fits, how long, why");
  addConfig(command, "a run config, TOML, or a trace, .ipt");
  addOverrides(command);
  addExplain(command);
  addEngine(command, Engine::SystemC);
  command.add_flag("--json", texts_.json, "print one JSON object in place of the table");
  addTable(command);
  command.add_flag("--stats", texts_.stats, "add what the simulation of an IPU itself took");
  command.add_flag("--every-chip", texts_.every_chip,
                   "simulate every IPU of a system, not one of those with equal programs");
  command
      .add_option("--out", texts_.out,
                  "a folder for result.json and, of an IPU, tables of steps, tiles, variables "
                  "and liveness")
      ->type_name("DIR");
  addReport(command, "a page with what is inside the program, to open in a browser");
  command
      .add_option("--timeline", texts_.timeline,
                  "what the chip and some tiles do when, for ui.perfetto.dev")
      ->type_name("FILE.json");
  command
      .add_option("--timeline-tiles", texts_.timeline_tiles,
                  "tiles in it besides the busiest and the median one")
      ->type_name("TILE,TILE,...");
  command
      .add_option("--vcd", texts_.vcd,
                  "also write the signals of some tiles on SystemC's chip, for a wave viewer")
      ->type_name("FILE.vcd");
  command.add_option("--vcd-tiles", texts_.vcd_tiles, "the tiles in it, tile 0 unless said")
      ->type_name("TILE,TILE,...");
  addAdvice(command);
  addLimits(command);
  addCache(command);
  command.footer(kRunExamples);
}

void CommandLine::addCheck() {
  CLI::App& command = addCommand("check", "Execute a config with numbers and compare them");
  addConfig(command, "a run config, TOML, or a trace, .ipt");
  addOverrides(command);
  addExplain(command);
  addLimits(command);
  command.add_flag("--json", texts_.json, "print one JSON object in place of the text");
  command.add_flag("--strict", texts_.strict,
                   "find every result that depends on a byte of memory that nothing has written");
  command
      .add_option("--jobs", texts_.jobs,
                  "how many threads share out the tiles, 1 to 1024, all cores unless said")
      ->type_name("N");
  command.footer(kCheckExamples);
}

/// Adds the options of commands that fill a store.
void CommandLine::addStore(CLI::App& command, const char* folder) {
  command.add_option("--out", texts_.out, folder)->type_name("DIR")->required();
  addReport(command, "a page with the points, the best of them and those that failed");
  addEngine(command, Engine::ClosedForm);
  command
      .add_option("--jobs", texts_.jobs,
                  "how many processes compute points, 1 to 1024, 1 unless said")
      ->type_name("N");
  command
      .add_option("--timeout", texts_.timeout,
                  "what a point may take, above 0, no limit unless said")
      ->type_name("SECONDS");
  addMaxMemory(command,
               "what the process of a point may hold, as 4G or 512M, no limit unless said");
  addCache(command);
}

void CommandLine::addSweep() {
  CLI::App& command = addCommand("sweep", "Run a config at every combination of some values");
  addConfig(command, "a sweep file, TOML");
  addOverrides(command);
  addStore(command, "a folder for sweep.sqlite and results.csv");
  command
      .add_option("--shard", texts_.shard,
                  "compute part I of N equal ones only; `ipusim merge` puts them together")
      ->type_name("I/N");
  command.add_flag("--dry-run", texts_.dry_run, "list the points and say what they will take");
  command.footer(kSweepExamples);
}

void CommandLine::addExplore() {
  CLI::App& command = addCommand("explore", "Search a sweep file's space for the best points");
  addConfig(command, "a sweep file with an [explore] table, TOML");
  addOverrides(command);
  addStore(command, "a folder for sweep.sqlite, results.csv, pareto.csv and more");
  command.footer(kExploreExamples);
}

void CommandLine::addMerge() {
  CLI::App& command = addCommand("merge", "Put the stores of a sweep's parts together");
  command.add_option("DIR", texts_.folders, "folders of `ipusim sweep --shard`")->required();
  command.add_option("--out", texts_.out, "a folder for sweep.sqlite and results.csv")
      ->type_name("DIR")
      ->required();
  command.footer(kMergeExamples);
}

void CommandLine::addValidate() {
  CLI::App& command = addCommand("validate", "Hold predictions against published measurements");
  command
      .add_option("--measurements", texts_.measurements,
                  "a CSV file in place of configs/measurements/*.csv; may be repeated")
      ->type_name("FILE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  addOverrides(command);
  addEngine(command, Engine::ClosedForm);
  CLI::Option* json =
      command.add_flag("--json", texts_.json, "print one JSON object in place of the table");
  command.add_flag("--markdown", texts_.markdown, "print tables of Markdown")->excludes(json);
  command.add_option("--spread", texts_.out, "write how far kinds of predictions are off, TOML")
      ->type_name("FILE");
  command
      .add_option("--jobs", texts_.jobs,
                  "how many threads compute runs, 1 to 1024, all cores unless said")
      ->type_name("N");
  addCache(command);
  command.footer(kValidateExamples);
}

void CommandLine::addCalibrate() {
  CLI::App& command = addCommand("calibrate", "Fit constants of a preset to published rows");
  command.add_option("FILE", texts_.config, "a calibration file, TOML")->required();
  addOverrides(command);
  command.add_option("--out", texts_.out, "a file for the constants, in place of the one it names")
      ->type_name("FILE");
  command.add_flag("--dry-run", texts_.dry_run, "print the fit and write nothing");
  addCache(command);
  command.footer(kCalibrateExamples);
}

void CommandLine::addReproduce() {
  CLI::App& command =
      addCommand("reproduce", "Set all that a paper published beside our predictions");
  command
      .add_option(
          "PAPER", texts_.paper,
          fmt::format("a manifest of a paper, TOML, {} unless said", reproduce::kUsualPaper))
      ->type_name("FILE");
  command
      .add_option("--item", texts_.items, "an item of the paper in place of all; may be repeated")
      ->type_name("NAME")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  command
      .add_option("--out", texts_.out,
                  fmt::format("a folder for the page and what it is made of, {} unless said",
                              kUsualReproduction))
      ->type_name("DIR");
  command
      .add_option("--jobs", texts_.jobs,
                  "how many processes compute, 1 to 1024, all cores unless said")
      ->type_name("N");
  command.add_flag("--no-plots", texts_.no_plots, "draw no figures");
  addCache(command);
  command.footer(kReproduceExamples);
}

void CommandLine::addDiff() {
  CLI::App& command = addCommand("diff", "Say what changed from one run to another, most first");
  command
      .add_option("A", texts_.config,
                  "a run config or a trace, to be simulated; a result; a profile; a folder of run "
                  "--out")
      ->required();
  command.add_option("B", texts_.other, "another one, of any of these kinds")->required();
  addSetting(command, "--set", texts_.overrides, "another value for a key, on both sides");
  addSetting(command, "--set-a", texts_.overrides_of_a, "another value for a key of A alone");
  addSetting(command, "--set-b", texts_.overrides_of_b, "another value for a key of B alone");
  command.add_flag("--json", texts_.json, "print one JSON object in place of the table");
  command.add_flag("--all", texts_.all, "every change in the table, not the largest alone");
  addReport(command, "also write a page with both side by side");
  addLimits(command);
  command.footer(kDiffExamples);
}

void CommandLine::addRedistribute() {
  CLI::App& command =
      addCommand("redistribute", "Plan how an array changes its spread over IPUs or tiles");
  addConfig(command, "a machine and two spreads of an array, TOML");
  addOverrides(command);
  command.add_flag("--check", texts_.check,
                   "on a chip: execute every plan with numbers and compare them");
  command.add_flag("--json", texts_.json, "print one JSON object in place of the table");
  addLimits(command);
  command.footer(kRedistributeExamples);
}

void CommandLine::addList() {
  CLI::App& command = addCommand(
      "list", "Name the machines, systems, GPUs, workloads, codelets or keys of configs");
  command.add_option("WHAT", texts_.listing, "what to name")
      ->type_name(fmt::format("{}", fmt::join(namesOf(listings()), "|")))
      ->required();
  command.add_option("KIND", texts_.kind,
                     "with keys: those of this workload, or of this section of the reference");
  command.add_option("--simgrid", texts_.simgrid,
                     "with systems: print the links of this one as a platform of SimGrid, XML");
  command.footer(kListExamples);
}

void CommandLine::addNew() {
  CLI::App& command = addCommand("new", "Write a config with comments, which runs as it is");
  command.add_option("KIND", texts_.kind, "a workload, or a section of the reference of configs")
      ->required();
  command.add_option("FILE", texts_.file,
                     "a file that is not there yet, standard output unless said");
  command.footer(kNewExamples);
}

void CommandLine::addGenerate() {
  CLI::App& command = addCommand("generate", "Print the manual page, or the completion of a shell");
  command.add_option("WHAT", texts_.generated, "what to print")
      ->type_name(fmt::format("{}", fmt::join(namesOf(generatedPages()), "|")))
      ->required();
  command.footer(kGenerateExamples);
}

}  // namespace ipusim::cli
