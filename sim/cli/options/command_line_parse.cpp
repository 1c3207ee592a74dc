// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string>

#include "base/text/message.h"
#include "sim/cli/options/command_line.h"
#include "sim/cli/options/poplar_options.h"

// Reads a command line and says what is wrong with it. The options stand in command_line.cpp.

namespace ipusim::cli {

namespace {

/// The commands directly below one, in the order of the help.
std::vector<std::string> commandsOf(const CLI::App& parent) {
  std::vector<std::string> names;
  for (const CLI::App* command : parent.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  return names;
}

/// What a parse error says, in the words of other messages where the library has its own. `left`
/// are the words that nothing took.
std::string describe(const CLI::ParseError& error, const std::vector<std::string>& left) {
  std::string what = error.what();
  const std::string required = " is required";
  const std::size_t end = what.size() - std::min(required.size(), what.size());
  if (what.substr(end) == required) {
    return fmt::format("wanted {}, found none", what.substr(0, end));
  }
  if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr && !left.empty()) {
    return fmt::format("wanted no further argument, found \"{}\"",
                       oneLine(left.front(), kPathLength));
  }
  return what;
}

}  // namespace

Arguments CommandLine::parse(int argc, char** argv) {
  if (std::optional<std::string> text = readWords(argc, argv)) return HelpArguments{*text};
  const CLI::App* given = command();
  if (given == nullptr) return ExplainArguments{*explain_.key(), "", {}};
  const auto found = std::find_if(commands_.begin(), commands_.end(),
                                  [given](const auto& one) { return one.first == given; });
  check(found != commands_.end(), "a command without options");
  return found->second->arguments();
}

std::optional<std::string> CommandLine::readWords(int argc, char** argv) {
  try {
    app_.parse(poplar_->takeBehindDashes(argc, argv), argv);
  } catch (const CLI::CallForHelp&) {
    return app_.help();
  } catch (const CLI::CallForVersion&) {
    return app_.version() + '\n';
  } catch (const CLI::ParseError& error) {
    expectSubcommand();
    throw wrong(describe(error, app_.remaining(true)));
  }
  const bool has_command = command() != nullptr || explain_.key();
  if (!app_.remaining().empty() || !has_command) throw noCommand(app_, app_.remaining());
  return std::nullopt;
}

const CLI::App* CommandLine::command() const {
  const std::vector<CLI::App*> commands = app_.get_subcommands();
  return commands.empty() ? nullptr : commands.front();
}

ConfigError CommandLine::wrong(const std::string& what) const {
  return wrongCommand(command() == nullptr ? app_ : *command(), what);
}

/// The error of a command that has the words `rest` where it wants one of those below it.
ConfigError CommandLine::noCommand(const CLI::App& parent,
                                   const std::vector<std::string>& rest) const {
  const std::vector<std::string> wanted = commandsOf(parent);
  const std::string found =
      rest.empty() ? "none" : inQuotes(rest.front()) + didYouMean(rest.front(), wanted);
  return wrong(fmt::format("wanted a command ({}), found {}", fmt::join(wanted, ", "), found));
}

/// Throws ConfigError where the command has commands below it, and none of them was given.
void CommandLine::expectSubcommand() const {
  const std::vector<CLI::App*> given = app_.get_subcommands();
  if (given.empty() || commandsOf(*given.front()).empty()) return;
  if (!given.front()->get_subcommands().empty()) return;
  // A word that is a command of the program itself is taken for that.
  if (given.size() > 1) throw noCommand(*given.front(), {given[1]->get_name()});
  throw noCommand(*given.front(), given.front()->remaining());
}

Arguments parseArguments(int argc, char** argv) {
  return CommandLine().parse(argc, argv);
}

}  // namespace ipusim::cli
