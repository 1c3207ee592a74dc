// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/redistribute_options.h"

#include "sim/cli/help_texts.h"

namespace ipusim::cli {

void RedistributeOptions::addTo(CLI::App& app) {
  redistribute_ =
      app.add_subcommand("redistribute", "Plan how an array changes its spread over IPUs or tiles");
  redistribute_->add_option("CONFIG", config_, "a machine and two spreads of an array, TOML")
      ->required();
  redistribute_->add_option("--set", overrides_, "another value for a key of the config")
      ->type_name("KEY=VALUE")
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  redistribute_->add_flag("--check", check_,
                          "on a chip: execute every plan with numbers and compare them");
  redistribute_->add_flag("--json", json_, "print one JSON object in place of the table");
  redistribute_->footer(kRedistributeExamples);
}

RedistributeArguments RedistributeOptions::arguments() const {
  RedistributeArguments arguments{config_, {}, check_, json_ ? Form::Json : Form::Table};
  for (const std::string& text : overrides_) arguments.overrides.push_back(Override::parse(text));
  return arguments;
}

}  // namespace ipusim::cli
