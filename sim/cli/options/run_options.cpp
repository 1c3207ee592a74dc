// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/help/help_texts.h"
#include "sim/cli/options/argument_values.h"
#include "sim/cli/options/command_options.h"
#include "sim/cli/options/shared_options.h"
#include "sim/cli/watch/terminal.h"

// The options of the commands that take one run config: run and check.

namespace ipusim::cli {

namespace {

constexpr const char* kTilesWanted = "numbers of tiles with commas between them";

/// What the table of a run shows.
class TableOption {
 public:
  void addTo(CLI::App& command) {
    command.add_flag("--all", all_,
                     "every step, every sync and every variable of the fullest tile in the table");
    sort_.addTo(command, "--sort", "the order of the steps in it, program unless said",
                "program|cycles|bytes");
    width_.addTo(command, "--width",
                 fmt::format("its columns, {} to {}, those of the terminal or {} unless said",
                             report::kNarrowest, report::kWidest, report::kPageWidth),
                 "N");
  }

  [[nodiscard]] report::TableOptions table(report::Stats stats) const {
    report::TableOptions options;
    options.stats = stats;
    options.all = all_;
    options.order = sort_.choice(stepOrders()).value_or(options.order);
    options.width = width_
                        .value(widthIn, fmt::format("a whole number in [{}, {}]",
                                                    report::kNarrowest, report::kWidest))
                        .value_or(tableColumns());
    options.colours = hasColours();
    return options;
  }

 private:
  bool all_ = false;
  ValueOption sort_;
  ValueOption width_;
};

/// --timeline, --vcd and the tiles in them.
class TilesShown {
 public:
  void addTo(CLI::App& command) {
    timeline_.addTo(command, "--timeline",
                    "what the chip and some tiles do when, for ui.perfetto.dev", "FILE.json");
    timeline_tiles_.addTo(command, "--timeline-tiles",
                          "tiles in it besides the busiest and the median one", "TILE,TILE,...");
    vcd_.addTo(command, "--vcd",
               "also write the signals of some tiles on SystemC's chip, for a wave viewer",
               "FILE.vcd");
    vcd_tiles_.addTo(command, "--vcd-tiles", "the tiles in it, tile 0 unless said",
                     "TILE,TILE,...");
  }

  void fill(RunArguments& arguments) const {
    arguments.timeline = timeline_.text();
    arguments.timeline_tiles = tilesOf(timeline_tiles_, timeline_, "--timeline", {});
    arguments.vcd = vcd(arguments.engine);
    arguments.vcd_tiles = tilesOf(vcd_tiles_, vcd_, "--vcd", {0});
  }

 private:
  static std::vector<std::uint32_t> tilesOf(const ValueOption& tiles, const ValueOption& file,
                                            const char* option, std::vector<std::uint32_t> usual) {
    if (tiles.text() && !file.text()) {
      throw tiles.wrong(fmt::format("wanted {} beside it, found none", option));
    }
    return tiles.value(tilesIn, kTilesWanted).value_or(std::move(usual));
  }

  [[nodiscard]] std::optional<std::string> vcd(const std::optional<Engine>& engine) const {
    if (!vcd_.text()) return std::nullopt;
    const std::filesystem::path file = *vcd_.text();
    if (file.extension() != ".vcd" || file.stem().empty()) {
      throw vcd_.wrong("wanted a file that ends in .vcd, found " + inQuotes(*vcd_.text()));
    }
    if (engine == Engine::ClosedForm) {
      throw vcd_.wrong("wanted --engine systemc, whose chip has signals, found closed-form");
    }
    return vcd_.text();
  }

  ValueOption timeline_;
  ValueOption timeline_tiles_;
  ValueOption vcd_;
  ValueOption vcd_tiles_;
};

/// What is tried on a program that does not fit.
class AdviceOptions {
 public:
  void addTo(CLI::App& command) {
    time_.addTo(command, "--advice-time",
                "what trying changes of a program that does not fit may take, 20s unless said",
                "DURATION");
    command.add_flag("--no-advice", is_none_,
                     "try no changes of such a program and no padded sizes");
  }

  [[nodiscard]] std::optional<double> seconds() const {
    if (is_none_) return std::nullopt;
    return time_.value(secondsIn, kDurationWanted).value_or(kUsualAdviceSeconds);
  }

 private:
  ValueOption time_;
  bool is_none_ = false;
};

/// The run config of a command, and --explain in its place.
class RunConfigOptions {
 public:
  void addTo(CLI::App& command) {
    config_.addTo(command, "a run config, TOML, or a trace, .ipt");
    settings_.addTo(command);
    explain_.addTo(command);
  }

  [[nodiscard]] const std::string& place() const { return config_.place(); }
  [[nodiscard]] std::vector<Override> overrides() const { return settings_.overrides(); }
  /// None: the command is to run.
  [[nodiscard]] std::optional<ExplainArguments> explained() const {
    if (!explain_.key()) return std::nullopt;
    return ExplainArguments{*explain_.key(), place(), overrides()};
  }

 private:
  ConfigOption config_;
  SettingOption settings_;
  ExplainOption explain_;
};

class RunOptions final : public CommandOptions {
 public:
  explicit RunOptions(CLI::App& command) {
    config_.addTo(command);
    engine_.addTo(command, Engine::SystemC);
    json_.addTo(command);
    table_.addTo(command);
    command.add_flag("--stats", stats_, "add what the simulation of an IPU itself took");
    command.add_flag("--every-chip", every_chip_,
                     "simulate every IPU of a system, not one of those with equal programs");
    out_.addTo(command, "--out",
               "a folder for result.json and, of an IPU, tables of steps, tiles, variables "
               "and liveness",
               "DIR");
    report_.addTo(command, "--report",
                  "a page with what is inside the program, to open in a browser", "FILE.html");
    tiles_.addTo(command);
    advice_.addTo(command);
    limits_.addTo(command);
    cache_.addTo(command);
    command.footer(kRunExamples);
  }

  [[nodiscard]] Arguments arguments() const override {
    if (const auto explained = config_.explained()) return *explained;
    RunArguments arguments;
    arguments.config = config_.place();
    arguments.overrides = config_.overrides();
    arguments.engine = engine_.given();
    arguments.form = json_.form();
    arguments.table = table_.table(stats_ ? report::Stats::With : report::Stats::Without);
    if (every_chip_) arguments.chips = run::SimulatedChips::Every;
    arguments.out = out_.text();
    arguments.report = report_.text();
    tiles_.fill(arguments);
    arguments.advice_seconds = advice_.seconds();
    arguments.limits = limits_.limits();
    arguments.cache = cache_.cache();
    return arguments;
  }

 private:
  RunConfigOptions config_;
  EngineOption engine_;
  JsonOption json_;
  TableOption table_;
  bool stats_ = false;
  bool every_chip_ = false;
  ValueOption out_;
  ValueOption report_;
  TilesShown tiles_;
  AdviceOptions advice_;
  LimitOptions limits_;
  CacheOptions cache_;
};

class CheckOptions final : public CommandOptions {
 public:
  explicit CheckOptions(CLI::App& command) {
    config_.addTo(command);
    limits_.addTo(command);
    json_.addTo(command, "print one JSON object in place of the text");
    command.add_flag("--strict", strict_,
                     "find every result that depends on a byte of memory that nothing has written");
    jobs_.addTo(command, "how many threads share out the tiles, 1 to 1024, all cores unless said");
    command.footer(kCheckExamples);
  }

  [[nodiscard]] Arguments arguments() const override {
    if (const auto explained = config_.explained()) return *explained;
    CheckArguments arguments;
    arguments.config = config_.place();
    arguments.overrides = config_.overrides();
    arguments.options = {strict_ ? executor::Checking::Strict : executor::Checking::Fast,
                         jobs_.jobsOrAllCores()};
    arguments.form = json_.form();
    arguments.limits = limits_.limits();
    return arguments;
  }

 private:
  RunConfigOptions config_;
  LimitOptions limits_;
  JsonOption json_;
  bool strict_ = false;
  JobsOption jobs_;
};

}  // namespace

OptionsPointer runOptions(CLI::App& command) {
  return std::make_unique<RunOptions>(command);
}

OptionsPointer checkOptions(CLI::App& command) {
  return std::make_unique<CheckOptions>(command);
}

}  // namespace ipusim::cli
