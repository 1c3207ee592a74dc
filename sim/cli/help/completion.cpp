// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/help/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "sim/cli/help/config_template.h"
#include "sim/cli/options/option_table.h"

namespace ipusim::cli {

namespace {

// What both shells share: the words before the cursor pick a command, and the last of them may be
// an option that wants a value. `_ipusim_words` sets `found` to the words that may stand there,
// or to nothing where a file may.
constexpr const char* kFrame = R"SHELL(
# Finds the command and the config that the words before the cursor name.
_ipusim_command() {
  command= config=
  local word
  for word in "$@"; do
    case " $(_ipusim_commands "$command") " in
      *" $word "*) command="${command:+$command }$word" ;;
    esac
    case $word in
      *.toml) if [ -f "$word" ] && [ -z "$config" ]; then config=$word; fi ;;
    esac
  done
}

# The kind of workload of the config. Nothing where there is no config, or it names none itself.
_ipusim_kind() {
  [ -n "$config" ] || return
  sed -n -e '/^ *\[workload\]/,/^ *\[/s/^ *kind *= *"\([^"]*\)".*/\1/p' \
    -e 's/^ *workload\.kind *= *"\([^"]*\)".*/\1/p' "$config" | head -n 1
}

# The keys of configs. Those of workloads are of this kind, or of any where there is none. A table
# that several kinds have, such as workload.train, has a section of its own.
_ipusim_keys() {
  ipusim list keys 2>/dev/null | awk -v kind="$1" '
    function head(path) { split(path, part, "."); return part[1] "." part[2] }
    $1 !~ /\*/ { path[++count] = $1; section[count] = $2 }
    $2 == kind { known[head($1)] = 1 }
    END {
      for (i = 1; i <= count; ++i)
        if (kind == "" || path[i] !~ /^workload\./ || section[i] == "workload" ||
            head(path[i]) in known || (kind == "codelet" && section[i] ~ /^codelet_/))
          print path[i]
    }' | sort -u
}

# The words that may stand after `last` in a command. None: a file may.
_ipusim_words() {
  local command=$1 last=$2 current=$3
  case $last in
    --set|--set-a|--set-b) _ipusim_keys "$(_ipusim_kind)" | sed 's/$/=/'; return ;;
    --explain) _ipusim_keys; return ;;
  esac
  local values
  values=$(_ipusim_values "$command" "$last")
  case $values in
    FILE) return ;;
    VALUE) echo; return ;;
  esac
  if [ -n "$values" ]; then echo "$values"; return; fi
  case $current in
    -*) _ipusim_options "$command" ;;
    *) _ipusim_commands "$command"; _ipusim_positionals "$command" ;;
  esac
}
)SHELL";

constexpr const char* kBash = R"(
_ipusim() {
  local command config current=${COMP_WORDS[COMP_CWORD]} last=${COMP_WORDS[COMP_CWORD-1]}
  _ipusim_command "${COMP_WORDS[@]:1:COMP_CWORD-1}"
  local found
  found=$(_ipusim_words "$command" "$last" "$current")
  if [ -z "$found" ]; then
    compopt -o default
    COMPREPLY=()
    return
  fi
  case $last in --set) compopt -o nospace ;; esac
  COMPREPLY=($(compgen -W "$found" -- "$current"))
}
complete -F _ipusim ipusim
)";

constexpr const char* kZsh = R"(
local command config current=${words[CURRENT]} last=${words[CURRENT-1]} found
_ipusim_command "${(@)words[2,CURRENT-1]}"
found=$(_ipusim_words "$command" "$last" "$current")
if [ -z "$found" ]; then
  _files
elif [ "$last" = --set ]; then
  compadd -S '' -- ${=found}
else
  compadd -- ${=found}
fi
)";

bool takesValue(const OptionRow& option) {
  return !option.is_positional && !option.type.empty();
}

bool isFile(const OptionRow& option) {
  return option.type.rfind("FILE", 0) == 0 || option.type == "DIR";
}

std::string quoted(const std::string& text) {
  return "\"" + text + "\"";
}

/// A function that prints a text for each command.
template <typename TextOf>
std::string commandTable(const char* name, const std::vector<CommandRow>& table, TextOf&& text_of) {
  std::string text = fmt::format("{}() {{\n  case $1 in\n", name);
  for (const CommandRow& command : table) {
    const std::string words = text_of(command);
    if (!words.empty()) {
      text += fmt::format("    {}) echo {} ;;\n", quoted(command.joined(" ")), quoted(words));
    }
  }
  return text + "  esac\n}\n";
}

std::string subcommandsOf(const CommandRow& command) {
  return fmt::format("{}", fmt::join(command.subcommands, " "));
}

std::string optionsOf(const CommandRow& command) {
  std::vector<std::string> names;
  for (const OptionRow& option : command.options) {
    if (!option.is_positional) names.push_back(option.name);
  }
  return fmt::format("{}", fmt::join(names, " "));
}

/// The words of positionals that are chosen from a list.
std::string positionalsOf(const CommandRow& command) {
  std::vector<std::string> words;
  for (const OptionRow& option : command.options) {
    if (!option.is_positional) continue;
    for (const std::string& word : option.choices()) words.push_back(word);
    if (option.name == "KIND") {
      const bool is_new = command.joined(" ") == "new";
      for (const std::string& name : is_new ? templateNames() : wholeSections()) {
        words.push_back(name);
      }
    }
  }
  return fmt::format("{}", fmt::join(words, " "));
}

/// A function that prints what the value of an option may be: words, FILE for a path, or VALUE for
/// what only the user knows.
std::string valueTable(const std::vector<CommandRow>& table) {
  std::string text = "_ipusim_values() {\n  case \"$1 $2\" in\n";
  for (const CommandRow& command : table) {
    for (const OptionRow& option : command.options) {
      if (!takesValue(option)) continue;
      const std::vector<std::string> choices = option.choices();
      const std::string place = quoted(command.joined(" ") + ' ' + option.name);
      if (!choices.empty()) {
        text += fmt::format("    {}) echo {} ;;\n", place,
                            quoted(fmt::format("{}", fmt::join(choices, " "))));
      } else {
        text += fmt::format("    {}) echo {} ;;\n", place, isFile(option) ? "FILE" : "VALUE");
      }
    }
  }
  return text + "  esac\n}\n";
}

std::string functionsFor(const CLI::App& app) {
  const std::vector<CommandRow> table = optionTable(app);
  return "# Made by `ipusim generate`.\n\n" +
         commandTable("_ipusim_commands", table, subcommandsOf) +
         commandTable("_ipusim_options", table, optionsOf) +
         commandTable("_ipusim_positionals", table, positionalsOf) + valueTable(table) + kFrame;
}

}  // namespace

std::string bashCompletion(const CLI::App& app) {
  return functionsFor(app) + kBash;
}

std::string zshCompletion(const CLI::App& app) {
  return "#compdef ipusim\n" + functionsFor(app) + kZsh;
}

}  // namespace ipusim::cli
