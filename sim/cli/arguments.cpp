// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "base/message.h"
#include "ipusim/version.h"
#include "sim/cli/argument_values.h"
#include "sim/cli/choices.h"
#include "sim/cli/help_texts.h"
#include "sim/cli/redistribute_options.h"
#include "sim/cli/trace_options.h"

namespace ipusim::cli {

namespace {

constexpr const char* kUsualPaper = "configs/papers/butterfly.toml";
constexpr const char* kUsualReproduction = "results/reproduce";

/// How many threads this computer runs at once; one where it does not say.
std::uint64_t allCores() {
  return std::clamp<std::uint64_t>(std::thread::hardware_concurrency(), 1, kMostJobs);
}

/// The parser, with the texts that it fills in.
class CommandLine {
 public:
  CommandLine() {
    app_.set_version_flag("--version", std::string("ipusim ") + libraryVersion());
    app_.footer(kExamples);
    addRun();
    addCheck();
    addSweep();
    addExplore();
    addMerge();
    addValidate();
    addCalibrate();
    addReproduce();
    trace_.addTo(app_);
    redistribute_.addTo(app_);
    addList();
    app_.prefix_command();  // `noCommand` reports an unknown command
  }

  Arguments parse(int argc, char** argv) {
    try {
      app_.parse(argc, argv);
    } catch (const CLI::CallForHelp&) {
      return HelpArguments{app_.help()};
    } catch (const CLI::CallForVersion&) {
      return HelpArguments{app_.version() + '\n'};
    } catch (const CLI::ParseError& error) {
      throw wrong(error.what());
    }
    return result();
  }

 private:
  void addConfig(CLI::App& command, const char* what) {
    command.add_option("CONFIG", config_, what)->required();
  }
  void addOverrides(CLI::App& command) {
    command.add_option("--set", overrides_, "another value for a key of the config")
        ->type_name("KEY=VALUE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  void addEngine(CLI::App& command, Engine usual) {
    command
        .add_option("--engine", engine_,
                    fmt::format("what computes the times, {} unless said", nameOf(usual)))
        ->type_name("systemc|closed-form");
  }

  void addCache(CLI::App& command) {
    command.add_option("--cache", cache_, "a folder that keeps plans and schedules between runs")
        ->type_name("DIR");
    command
        .add_option("--cache-size", cache_size_,
                    "what that folder may take, as 4G or 512M, 1G unless said")
        ->type_name("SIZE");
  }
  /// Adds the option for the memory of a run, or of each point.
  void addMaxMemory(CLI::App& command, const char* what) {
    command.add_option("--max-memory", max_memory_, what)->type_name("SIZE");
  }
  /// Adds the options for what a run may take of this computer.
  void addLimits(CLI::App& command) {
    command
        .add_option("--max-time", max_time_,
                    "what the run may take, as 30s, 10m or 2h, no limit unless said")
        ->type_name("DURATION");
    addMaxMemory(command, "what the run may hold, as 4G or 512M, no limit unless said");
  }

  void addRun() {
    run_ = app_.add_subcommand("run", "Run one config: what fits, how long, why");
    addConfig(*run_, "a run config, TOML");
    addOverrides(*run_);
    addEngine(*run_, Engine::SystemC);
    run_->add_flag("--json", json_, "print one JSON object in place of the table");
    run_->add_flag("--stats", stats_, "add what the simulation of an IPU itself took");
    run_->add_option("--out", out_,
                     "a folder for result.json and, of an IPU, tables of steps, tiles, variables "
                     "and liveness")
        ->type_name("DIR");
    addLimits(*run_);
    addCache(*run_);
    run_->footer(kRunExamples);
  }

  void addCheck() {
    check_ = app_.add_subcommand("check", "Execute a config with numbers and compare them");
    addConfig(*check_, "a run config, TOML");
    addOverrides(*check_);
    addLimits(*check_);
    check_->add_flag("--strict", strict_,
                     "find every result that depends on a byte of memory that nothing has written");
    check_
        ->add_option("--jobs", jobs_,
                     "how many threads share out the tiles, 1 to 1024, all cores unless said")
        ->type_name("N");
    check_->footer(kCheckExamples);
  }

  /// Adds the options of commands that fill a store.
  void addStore(CLI::App& command, const char* folder) {
    command.add_option("--out", out_, folder)->type_name("DIR")->required();
    addEngine(command, Engine::ClosedForm);
    command
        .add_option("--jobs", jobs_, "how many processes compute points, 1 to 1024, 1 unless said")
        ->type_name("N");
    command
        .add_option("--timeout", timeout_, "what a point may take, above 0, no limit unless said")
        ->type_name("SECONDS");
    addMaxMemory(command,
                 "what the process of a point may hold, as 4G or 512M, no limit unless said");
    addCache(command);
  }

  void addSweep() {
    sweep_ = app_.add_subcommand("sweep", "Run a config at every combination of some values");
    addConfig(*sweep_, "a sweep file, TOML");
    addStore(*sweep_, "a folder for sweep.sqlite and results.csv");
    sweep_
        ->add_option("--shard", shard_,
                     "compute part I of N equal ones only; `ipusim merge` puts them together")
        ->type_name("I/N");
    sweep_->add_flag("--dry-run", dry_run_, "list the points and say what they will take");
    sweep_->footer(kSweepExamples);
  }

  void addExplore() {
    explore_ = app_.add_subcommand("explore", "Search a sweep file's space for the best points");
    addConfig(*explore_, "a sweep file with an [explore] table, TOML");
    addStore(*explore_, "a folder for sweep.sqlite, results.csv, pareto.csv and more");
    explore_->footer(kExploreExamples);
  }

  void addMerge() {
    merge_ = app_.add_subcommand("merge", "Put the stores of a sweep's parts together");
    merge_->add_option("DIR", folders_, "folders of `ipusim sweep --shard`")->required();
    merge_->add_option("--out", out_, "a folder for sweep.sqlite and results.csv")
        ->type_name("DIR")
        ->required();
    merge_->footer(kMergeExamples);
  }

  void addValidate() {
    validate_ = app_.add_subcommand("validate", "Hold predictions against published measurements");
    validate_
        ->add_option("--measurements", measurements_,
                     "a CSV file in place of configs/measurements/*.csv; may be repeated")
        ->type_name("FILE")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    addEngine(*validate_, Engine::ClosedForm);
    CLI::Option* json =
        validate_->add_flag("--json", json_, "print one JSON object in place of the table");
    validate_->add_flag("--markdown", markdown_, "print tables of Markdown")->excludes(json);
    validate_->add_option("--spread", out_, "write how far kinds of predictions are off, TOML")
        ->type_name("FILE");
    validate_
        ->add_option("--jobs", jobs_,
                     "how many threads compute runs, 1 to 1024, all cores unless said")
        ->type_name("N");
    addCache(*validate_);
    validate_->footer(kValidateExamples);
  }

  void addCalibrate() {
    calibrate_ = app_.add_subcommand("calibrate", "Fit constants of a preset to published rows");
    calibrate_->add_option("FILE", config_, "a calibration file, TOML")->required();
    addOverrides(*calibrate_);
    calibrate_->add_option("--out", out_, "a file for the constants, in place of the one it names")
        ->type_name("FILE");
    calibrate_->add_flag("--dry-run", dry_run_, "print the fit and write nothing");
    addCache(*calibrate_);
    calibrate_->footer(kCalibrateExamples);
  }

  void addReproduce() {
    reproduce_ =
        app_.add_subcommand("reproduce", "Set all that a paper published beside our predictions");
    reproduce_
        ->add_option("PAPER", paper_,
                     fmt::format("a manifest of a paper, TOML, {} unless said", kUsualPaper))
        ->type_name("FILE");
    reproduce_
        ->add_option("--item", items_, "an item of the paper in place of all; may be repeated")
        ->type_name("NAME")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    reproduce_
        ->add_option("--out", out_,
                     fmt::format("a folder for the page and what it is made of, {} unless said",
                                 kUsualReproduction))
        ->type_name("DIR");
    reproduce_
        ->add_option("--jobs", jobs_,
                     "how many processes compute, 1 to 1024, all cores unless said")
        ->type_name("N");
    reproduce_->add_flag("--no-plots", no_plots_, "draw no figures");
    reproduce_->footer(kReproduceExamples);
  }

  void addList() {
    list_ = app_.add_subcommand("list", "Name the machines, systems, GPUs, workloads or codelets");
    list_->add_option("WHAT", listing_, "machines, systems, gpus, workloads or codelets")
        ->required();
    list_->footer(kListExamples);
  }

  [[nodiscard]] CLI::App& chosen() {
    const std::vector<CLI::App*> commands = app_.get_subcommands();
    return commands.empty() ? app_ : *commands.front();
  }

  ConfigError wrong(const std::string& what) {
    const std::string name = &chosen() == &app_ ? "" : ' ' + chosen().get_name();
    return ConfigError(fmt::format("ipusim{0}: {1}; see ipusim{0} --help", name,
                                   oneLine(what, 4 * kQuotedLength)));
  }

  template <typename Choice>
  Choice choose(const char* option, const std::string& name,
                const std::map<std::string, Choice>& choices) {
    const auto found = choices.find(name);
    if (found != choices.end()) return found->second;
    const std::vector<std::string> names = namesOf(choices);
    throw wrong(fmt::format("{}: wanted one of {}{}, found {}", option, fmt::join(names, ", "),
                            didYouMean(name, names), inQuotes(name)));
  }

  [[nodiscard]] std::vector<Override> overrides() const {
    std::vector<Override> parsed;
    for (const std::string& text : overrides_) parsed.push_back(Override::parse(text));
    return parsed;
  }

  std::optional<Engine> engine() {
    if (!engine_) return std::nullopt;
    return choose("--engine", *engine_, engines());
  }
  Engine engine(Engine usual) { return engine().value_or(usual); }

  /// What `read` makes of the text of an option, if the option is there.
  template <typename Value>
  std::optional<Value> value(const char* option, const std::optional<std::string>& text,
                             std::optional<Value> (*read)(const std::string&),
                             const std::string& wanted) {
    if (!text) return std::nullopt;
    if (const std::optional<Value> value = read(*text)) return value;
    throw wrong(fmt::format("{}: wanted {}, found {}", option, wanted, inQuotes(*text)));
  }

  explore::Shard shard() {
    const std::string wanted = fmt::format("I/N with I from 1 to N and N at most {}", kMostShards);
    return value("--shard", shard_, shardIn, wanted).value_or(explore::Shard());
  }

  std::uint64_t jobs(std::uint64_t usual) {
    const std::string wanted = fmt::format("a whole number in [1, {}]", kMostJobs);
    return value("--jobs", jobs_, jobsIn, wanted).value_or(usual);
  }

  std::optional<Bytes> maxMemory() {
    return value("--max-memory", max_memory_, bytesIn, "a size as 4G or 512M");
  }

  run::HostLimits runLimits() {
    return {value("--max-time", max_time_, secondsIn, "a duration as 30s, 10m or 2h"), maxMemory()};
  }
  run::HostLimits pointLimits() {
    return {value("--timeout", timeout_, plainSecondsIn, "a number of seconds above 0"),
            maxMemory()};
  }

  CacheArguments cache() {
    CacheArguments arguments;
    arguments.folder = cache_;
    const auto bytes = value("--cache-size", cache_size_, bytesIn, "a size as 4G or 512M");
    if (bytes) arguments.most_bytes = bytes->value();
    return arguments;
  }

  [[nodiscard]] Form form() const {
    if (markdown_) return Form::Markdown;
    return json_ ? Form::Json : Form::Table;
  }

  [[nodiscard]] StudyArguments study() {
    return {config_, engine(Engine::ClosedForm), *out_, jobs(1), pointLimits(), cache()};
  }

  Arguments result() {
    if (!app_.remaining().empty()) throw noCommand();
    if (run_->parsed()) {
      return RunArguments{
          config_, overrides(), engine(), form(), stats_ ? run::Stats::With : run::Stats::Without,
          out_,    runLimits(), cache()};
    }
    if (check_->parsed()) {
      return CheckArguments{
          config_,
          overrides(),
          {strict_ ? checker::Checking::Strict : checker::Checking::Fast, jobs(allCores())},
          runLimits()};
    }
    if (sweep_->parsed()) return SweepArguments{study(), shard(), dry_run_};
    if (explore_->parsed()) return ExploreArguments{study()};
    if (merge_->parsed()) return MergeArguments{folders_, *out_};
    if (validate_->parsed()) {
      return ValidateArguments{measurements_, engine(Engine::ClosedForm), form(),
                               out_,          jobs(allCores()),           cache()};
    }
    if (calibrate_->parsed())
      return CalibrateArguments{config_, overrides(), out_, dry_run_, cache()};
    if (reproduce_->parsed()) {
      return ReproduceArguments{paper_.value_or(kUsualPaper), items_,
                                out_.value_or(kUsualReproduction), jobs(allCores()), !no_plots_};
    }
    if (trace_.parsed()) return trace_.arguments();
    if (redistribute_.parsed()) return redistribute_.arguments();
    if (list_->parsed()) return ListArguments{choose("WHAT", listing_, listings())};
    throw noCommand();
  }

  ConfigError noCommand() {
    const std::vector<std::string> commands = {"run",   "check",        "sweep",     "explore",
                                               "merge", "validate",     "calibrate", "reproduce",
                                               "trace", "redistribute", "list"};
    const std::vector<std::string> rest = app_.remaining();
    const std::string found =
        rest.empty() ? "none" : inQuotes(rest.front()) + didYouMean(rest.front(), commands);
    return wrong(fmt::format("wanted a command ({}), found {}", fmt::join(commands, ", "), found));
  }

  CLI::App app_{kAbout, "ipusim"};
  CLI::App* run_ = nullptr;
  CLI::App* check_ = nullptr;
  CLI::App* sweep_ = nullptr;
  CLI::App* explore_ = nullptr;
  CLI::App* merge_ = nullptr;
  CLI::App* validate_ = nullptr;
  CLI::App* calibrate_ = nullptr;
  CLI::App* reproduce_ = nullptr;
  TraceOptions trace_;
  RedistributeOptions redistribute_;
  CLI::App* list_ = nullptr;
  std::string config_;
  std::vector<std::string> overrides_;
  std::optional<std::string> engine_;
  std::vector<std::string> measurements_;
  bool json_ = false;
  bool markdown_ = false;
  bool stats_ = false;
  bool strict_ = false;
  std::optional<std::string> out_;
  std::optional<std::string> cache_;
  std::optional<std::string> cache_size_;
  std::optional<std::string> jobs_;
  std::optional<std::string> timeout_;
  std::optional<std::string> max_time_;
  std::optional<std::string> max_memory_;
  std::optional<std::string> shard_;
  std::vector<std::string> folders_;
  bool dry_run_ = false;
  std::optional<std::string> paper_;
  std::vector<std::string> items_;
  bool no_plots_ = false;
  std::string listing_;
};

}  // namespace

Arguments parseArguments(int argc, char** argv) {
  return CommandLine().parse(argc, argv);
}

}  // namespace ipusim::cli
