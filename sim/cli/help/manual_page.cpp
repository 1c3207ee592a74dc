// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/help/manual_page.h"

#include <fmt/format.h>

#include <sstream>

#include "ipusim/version.h"
#include "sim/cli/options/option_table.h"

namespace ipusim::cli {

namespace {

constexpr const char* kEnvironment = R"(.SH ENVIRONMENT
.TP
.B IPUSIM_CACHE
the folder that keeps plans and schedules between runs
.TP
.B IPUSIM_HOME
the folder with configs, in place of the one beside the program
.TP
.B CXX
the compiler of `ipusim poplar`, in place of g++
.TP
.B IPUSIM_POPLAR_TARGET, IPUSIM_VIRTUAL_CLOCK, IPUSIM_FUNCTIONAL_STEPS, IPUSIM_POPLAR_PROFILE, IPUSIM_POPLAR_RECORD
options of programs written for Poplar: those of `ipusim poplar run`
)";

/// Text as man prints it: no letter of it is a command.
std::string escaped(const std::string& text) {
  std::string out;
  bool begins = true;
  for (const char letter : text) {
    if (begins && (letter == '.' || letter == '\'')) out += "\\&";
    if (letter == '\\') {
      out += "\\e";
    } else if (letter == '-') {
      out += "\\-";
    } else {
      out += letter;
    }
    begins = letter == '\n';
  }
  return out;
}

std::string optionText(const OptionRow& option) {
  const std::string value =
      option.type.empty() || option.is_positional ? "" : " \\fI" + escaped(option.type) + "\\fR";
  std::string meaning = option.meaning;
  const std::vector<std::string> choices = option.choices();
  if (option.is_positional && !choices.empty()) meaning += ": " + option.type;
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}{}\n", escaped(option.name), value, escaped(meaning),
                     option.is_required ? " (required)" : "");
}

std::string synopsis(const CommandRow& command) {
  std::string text = fmt::format(".B ipusim {}\n", escaped(command.joined(" ")));
  for (const OptionRow& option : command.options) {
    if (option.is_positional) text += fmt::format(".I {}\n", escaped(option.name));
  }
  return text + "[OPTIONS]\n";
}

std::string footerText(const CommandRow& command) {
  return command.footer.empty() ? "" : ".PP\n.nf\n" + escaped(command.footer) + "\n.fi\n";
}

std::string commandText(const CommandRow& command) {
  std::string text = fmt::format(".SS ipusim {}\n{}.PP\n{}.\n", escaped(command.joined(" ")),
                                 synopsis(command), escaped(command.summary));
  for (const OptionRow& option : command.options) text += optionText(option);
  return text + footerText(command);
}

}  // namespace

std::string manualPage(const CLI::App& app) {
  const std::vector<CommandRow> table = optionTable(app);
  const CommandRow& program = table.front();
  std::string text = fmt::format(
      ".TH IPUSIM 1 \"\" \"ipusim {}\" \"User Commands\"\n"
      ".SH NAME\nipusim \\- predict programs of a Graphcore IPU without one\n"
      ".SH SYNOPSIS\n.B ipusim\n.I COMMAND\n[OPTIONS]\n"
      ".SH DESCRIPTION\n{}\n.SH OPTIONS\n",
      libraryVersion(), escaped(program.summary));
  for (const OptionRow& option : program.options) text += optionText(option);
  text += ".SH COMMANDS\n";
  for (std::size_t at = 1; at < table.size(); ++at) text += commandText(table[at]);
  return text + kEnvironment + ".SH EXAMPLES AND EXIT STATUS\n" + footerText(program);
}

}  // namespace ipusim::cli
