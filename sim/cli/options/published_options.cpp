// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/help/help_texts.h"
#include "sim/cli/options/command_options.h"
#include "sim/cli/options/shared_options.h"
#include "sim/studies/reproduce/paper.h"

// The options of the commands that know published figures: validate, calibrate and reproduce.

namespace ipusim::cli {

namespace {

/// Where `reproduce` puts what it makes unless said.
constexpr const char* kUsualReproduction = "results/reproduce";

class ValidateOptions final : public CommandOptions {
 public:
  explicit ValidateOptions(CLI::App& command) {
    addRepeated(command, "--measurements", files_,
                "a CSV file in place of configs/measurements/*.csv; may be repeated")
        .type_name("FILE");
    settings_.addTo(command);
    engine_.addTo(command, Engine::ClosedForm);
    CLI::Option& json = json_.addTo(command);
    command.add_flag("--markdown", is_markdown_, "print tables of Markdown")->excludes(&json);
    spread_.addTo(command, "--spread", "write how far kinds of predictions are off, TOML", "FILE");
    jobs_.addTo(command, "how many threads compute runs, 1 to 1024, all cores unless said");
    cache_.addTo(command);
    command.footer(kValidateExamples);
  }

  [[nodiscard]] Arguments arguments() const override {
    ValidateArguments arguments;
    arguments.files = files_;
    arguments.overrides = settings_.overrides();
    arguments.engine = engine_.engine();
    arguments.form = is_markdown_ ? Form::Markdown : json_.form();
    arguments.spread = spread_.text();
    arguments.jobs = jobs_.jobsOrAllCores();
    arguments.cache = cache_.cache();
    return arguments;
  }

 private:
  std::vector<std::string> files_;
  SettingOption settings_;
  EngineOption engine_;
  JsonOption json_;
  bool is_markdown_ = false;
  ValueOption spread_;
  JobsOption jobs_;
  CacheOptions cache_;
};

class CalibrateOptions final : public CommandOptions {
 public:
  explicit CalibrateOptions(CLI::App& command) {
    file_.addTo(command, "a calibration file, TOML", "FILE");
    settings_.addTo(command);
    out_.addTo(command, "--out", "a file for the constants, in place of the one it names", "FILE");
    command.add_flag("--dry-run", dry_run_, "print the fit and write nothing");
    cache_.addTo(command);
    command.footer(kCalibrateExamples);
  }

  [[nodiscard]] Arguments arguments() const override {
    return CalibrateArguments{file_.place(), settings_.overrides(), out_.text(), dry_run_,
                              cache_.cache()};
  }

 private:
  ConfigOption file_;
  SettingOption settings_;
  ValueOption out_;
  bool dry_run_ = false;
  CacheOptions cache_;
};

class ReproduceOptions final : public CommandOptions {
 public:
  explicit ReproduceOptions(CLI::App& command) {
    paper_.addTo(command, "PAPER",
                 fmt::format("a manifest of a paper, TOML, {} unless said", reproduce::kUsualPaper),
                 "FILE");
    addRepeated(command, "--item", items_, "an item of the paper in place of all; may be repeated")
        .type_name("NAME");
    out_.addTo(command, "--out",
               fmt::format("a folder for the page and what it is made of, {} unless said",
                           kUsualReproduction),
               "DIR");
    jobs_.addTo(command, "how many processes compute, 1 to 1024, all cores unless said");
    command.add_flag("--no-plots", no_plots_, "draw no figures");
    cache_.addTo(command);
    command.footer(kReproduceExamples);
  }

  [[nodiscard]] Arguments arguments() const override {
    ReproduceArguments arguments;
    arguments.paper = paper_.text().value_or(reproduce::kUsualPaper);
    arguments.items = items_;
    arguments.out = out_.text().value_or(kUsualReproduction);
    arguments.jobs = jobs_.jobsOrAllCores();
    arguments.plots = !no_plots_;
    arguments.cache = cache_.cache();
    return arguments;
  }

 private:
  ValueOption paper_;
  std::vector<std::string> items_;
  ValueOption out_;
  JobsOption jobs_;
  bool no_plots_ = false;
  CacheOptions cache_;
};

}  // namespace

OptionsPointer validateOptions(CLI::App& command) {
  return std::make_unique<ValidateOptions>(command);
}

OptionsPointer calibrateOptions(CLI::App& command) {
  return std::make_unique<CalibrateOptions>(command);
}

OptionsPointer reproduceOptions(CLI::App& command) {
  return std::make_unique<ReproduceOptions>(command);
}

}  // namespace ipusim::cli
