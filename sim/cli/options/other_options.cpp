// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/help/completion.h"
#include "sim/cli/help/help_texts.h"
#include "sim/cli/help/manual_page.h"
#include "sim/cli/options/command_options.h"
#include "sim/cli/options/shared_options.h"

// The options of diff and redistribute, and of the commands that run nothing: list, new and
// generate.

namespace ipusim::cli {

namespace {

class DiffOptions final : public CommandOptions {
 public:
  explicit DiffOptions(CLI::App& command) {
    a_.addTo(command,
             "a run config or a trace, to be simulated; a result; a profile; a folder of run "
             "--out",
             "A");
    b_.addTo(command, "another one, of any of these kinds", "B");
    settings_.addTo(command, "--set", "another value for a key, on both sides");
    settings_of_a_.addTo(command, "--set-a", "another value for a key of A alone");
    settings_of_b_.addTo(command, "--set-b", "another value for a key of B alone");
    json_.addTo(command);
    command.add_flag("--all", all_, "every change in the table, not the largest alone");
    report_.addTo(command, "--report", "also write a page with both side by side", "FILE.html");
    limits_.addTo(command);
    command.footer(kDiffExamples);
  }

  [[nodiscard]] Arguments arguments() const override {
    DiffArguments arguments;
    arguments.a = a_.place();
    arguments.b = b_.place();
    arguments.overrides = settings_.overrides();
    arguments.overrides_of_a = settings_of_a_.overrides();
    arguments.overrides_of_b = settings_of_b_.overrides();
    arguments.form = json_.form();
    arguments.all = all_;
    arguments.report = report_.text();
    arguments.limits = limits_.limits();
    return arguments;
  }

 private:
  ConfigOption a_;
  ConfigOption b_;
  SettingOption settings_;
  SettingOption settings_of_a_;
  SettingOption settings_of_b_;
  JsonOption json_;
  bool all_ = false;
  ValueOption report_;
  LimitOptions limits_;
};

class RedistributeOptions final : public CommandOptions {
 public:
  explicit RedistributeOptions(CLI::App& command) {
    config_.addTo(command, "a machine and two spreads of an array, TOML");
    settings_.addTo(command);
    command.add_flag("--check", check_,
                     "on a chip: execute every plan with numbers and compare them");
    json_.addTo(command);
    limits_.addTo(command);
    command.footer(kRedistributeExamples);
  }

  [[nodiscard]] Arguments arguments() const override {
    return RedistributeArguments{config_.place(), settings_.overrides(), check_, json_.form(),
                                 limits_.limits()};
  }

 private:
  ConfigOption config_;
  SettingOption settings_;
  bool check_ = false;
  JsonOption json_;
  LimitOptions limits_;
};

class ListOptions final : public CommandOptions {
 public:
  explicit ListOptions(CLI::App& command) : command_(command) {
    what_
        .addTo(command, "WHAT", "what to name",
               fmt::format("{}", fmt::join(namesOf(listings()), "|")))
        .required();
    command.add_option("KIND", kind_,
                       "with keys: those of this workload, or of this section of the reference");
    command.add_option("--simgrid", simgrid_,
                       "with systems: print the links of this one as a platform of SimGrid, XML");
    command.footer(kListExamples);
  }

  [[nodiscard]] Arguments arguments() const override {
    const ListArguments arguments{*what_.choice(listings()), kind_, simgrid_};
    expectOnlyWith("--simgrid", simgrid_.has_value(), arguments.what == Listing::Systems,
                   "systems");
    expectOnlyWith("KIND", kind_.has_value(), arguments.what == Listing::Keys, "keys");
    return arguments;
  }

 private:
  void expectOnlyWith(const char* option, bool is_given, bool may_be, const char* listing) const {
    if (!is_given || may_be) return;
    throw wrongCommand(command_, fmt::format("{}: wanted {} before it, found {}", option, listing,
                                             inQuotes(*what_.text())));
  }

  const CLI::App& command_;
  ValueOption what_;
  std::optional<std::string> kind_;
  std::optional<std::string> simgrid_;
};

class NewOptions final : public CommandOptions {
 public:
  explicit NewOptions(CLI::App& command) {
    command.add_option("KIND", kind_, "a workload, or a section of the reference of configs")
        ->required();
    command.add_option("FILE", file_, "a file that is not there yet, standard output unless said");
    command.footer(kNewExamples);
  }

  [[nodiscard]] Arguments arguments() const override { return NewArguments{kind_, file_}; }

 private:
  std::string kind_;
  std::optional<std::string> file_;
};

class GenerateOptions final : public CommandOptions {
 public:
  explicit GenerateOptions(CLI::App& command) : command_(command) {
    what_
        .addTo(command, "WHAT", "what to print",
               fmt::format("{}", fmt::join(namesOf(generatedPages()), "|")))
        .required();
    command.footer(kGenerateExamples);
  }

  [[nodiscard]] Arguments arguments() const override {
    const CLI::App& all = *command_.get_parent();
    switch (*what_.choice(generatedPages())) {
      case GeneratedPage::Bash:
        return HelpArguments{bashCompletion(all)};
      case GeneratedPage::Man:
        return HelpArguments{manualPage(all)};
      case GeneratedPage::Zsh:
        return HelpArguments{zshCompletion(all)};
    }
    throw InternalError("no such page");
  }

 private:
  const CLI::App& command_;
  ValueOption what_;
};

}  // namespace

OptionsPointer diffOptions(CLI::App& command) {
  return std::make_unique<DiffOptions>(command);
}

OptionsPointer redistributeOptions(CLI::App& command) {
  return std::make_unique<RedistributeOptions>(command);
}

OptionsPointer listOptions(CLI::App& command) {
  return std::make_unique<ListOptions>(command);
}

OptionsPointer newOptions(CLI::App& command) {
  return std::make_unique<NewOptions>(command);
}

OptionsPointer generateOptions(CLI::App& command) {
  return std::make_unique<GenerateOptions>(command);
}

}  // namespace ipusim::cli
