// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/options/option_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <sstream>

namespace ipusim::cli {

namespace {

OptionRow rowOf(const CLI::Option& option) {
  const bool is_positional = option.get_positional();
  const std::string name = is_positional                 ? option.get_name(true)
                           : option.get_lnames().empty() ? '-' + option.get_snames().front()
                                                         : "--" + option.get_lnames().front();
  const std::string type = option.get_items_expected_max() == 0 ? "" : option.get_type_name();
  return {name, type, option.get_description(), is_positional, option.get_required()};
}

void addTo(std::vector<CommandRow>& table, const CLI::App& app, std::vector<std::string> words) {
  CommandRow row{words, app.get_description(), app.get_footer(), {}, {}};
  for (const CLI::Option* option : app.get_options({})) row.options.push_back(rowOf(*option));
  const auto commands = app.get_subcommands([](const CLI::App* /*any*/) { return true; });
  for (const CLI::App* command : commands) row.subcommands.push_back(command->get_name());
  table.push_back(std::move(row));
  for (const CLI::App* command : commands) {
    words.push_back(command->get_name());
    addTo(table, *command, words);
    words.pop_back();
  }
}

}  // namespace

std::vector<std::string> OptionRow::choices() const {
  std::vector<std::string> words;
  if (type.find('|') == std::string::npos) return words;
  std::istringstream parts(type);
  for (std::string word; std::getline(parts, word, '|');) words.push_back(word);
  return words;
}

std::string CommandRow::joined(const char* between) const {
  return fmt::format("{}", fmt::join(words, between));
}

std::vector<CommandRow> optionTable(const CLI::App& app) {
  std::vector<CommandRow> table;
  addTo(table, app, {});
  return table;
}

}  // namespace ipusim::cli
