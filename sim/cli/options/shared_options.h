// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/text/message.h"
#include "sim/cli/options/arguments.h"
#include "sim/cli/options/choices.h"

// Options that several commands have. An object of a class here holds what the command line says of
// one option or of a few that go together.

namespace ipusim::cli {

/// The error of a command line on which `command` is wrong in this way.
ConfigError wrongCommand(const CLI::App& command, const std::string& what);

/// Adds an option that may be repeated.
CLI::Option& addRepeated(CLI::App& command, const char* option, std::vector<std::string>& texts,
                         const std::string& what);

/// An option with a value that is read when it is asked for. It may be added to several commands,
/// of which one is given.
class ValueOption {
 public:
  CLI::Option& addTo(CLI::App& command, const char* option, const std::string& what,
                     const std::string& type);

  [[nodiscard]] const std::optional<std::string>& text() const { return text_; }

  /// What `parse` makes of the text. None where the option was not given.
  template <typename Value>
  [[nodiscard]] std::optional<Value> value(std::optional<Value> (*parse)(const std::string&),
                                           const std::string& wanted) const {
    if (!text_) return std::nullopt;
    if (std::optional<Value> value = parse(*text_)) return value;
    throw wrong(fmt::format("wanted {}, found {}", wanted, inQuotes(*text_)));
  }

  /// The value with that name. None where the option was not given.
  template <typename Choice>
  [[nodiscard]] std::optional<Choice> choice(const std::map<std::string, Choice>& choices) const {
    if (!text_) return std::nullopt;
    const auto found = choices.find(*text_);
    if (found != choices.end()) return found->second;
    const std::vector<std::string> names = namesOf(choices);
    throw wrong(fmt::format("wanted one of {}{}, found {}", fmt::join(names, ", "),
                            didYouMean(*text_, names), inQuotes(*text_)));
  }

  /// The error of this option.
  [[nodiscard]] ConfigError wrong(const std::string& what) const;

 private:
  std::vector<const CLI::App*> commands_;  ///< that have the option
  std::string option_;
  std::optional<std::string> text_;
};

/// CONFIG.
class ConfigOption {
 public:
  void addTo(CLI::App& command, const char* what, const char* name = "CONFIG");
  [[nodiscard]] const std::string& place() const { return place_; }

 private:
  std::string place_;
};

/// --set.
class SettingOption {
 public:
  void addTo(CLI::App& command, const char* option = "--set",
             const char* what = "another value for a key of the config");
  [[nodiscard]] std::vector<Override> overrides() const { return parseOverrides(texts_); }

 private:
  std::vector<std::string> texts_;
};

/// --explain, which asks for the meaning of a key and runs nothing.
class ExplainOption {
 public:
  void addTo(CLI::App& command);
  [[nodiscard]] const std::optional<std::string>& key() const { return key_.text(); }

 private:
  ValueOption key_;
};

/// --engine.
class EngineOption {
 public:
  void addTo(CLI::App& command, Engine usual);
  [[nodiscard]] std::optional<Engine> given() const { return engine_.choice(engines()); }
  [[nodiscard]] Engine engine() const { return given().value_or(usual_); }

 private:
  ValueOption engine_;
  Engine usual_ = Engine::SystemC;
};

/// --json.
class JsonOption {
 public:
  CLI::Option& addTo(CLI::App& command,
                     const char* what = "print one JSON object in place of the table");
  [[nodiscard]] Form form() const { return is_given_ ? Form::Json : Form::Table; }

 private:
  bool is_given_ = false;
};

/// --jobs.
class JobsOption {
 public:
  void addTo(CLI::App& command, const char* what);
  [[nodiscard]] std::uint64_t jobs(std::uint64_t usual) const;
  /// The usual number is that of the threads that this computer runs at once.
  [[nodiscard]] std::uint64_t jobsOrAllCores() const;

 private:
  ValueOption jobs_;
};

/// --max-memory of a run, or of each point.
class MemoryOption {
 public:
  void addTo(CLI::App& command, const char* what);
  [[nodiscard]] std::optional<Bytes> memory() const;

 private:
  ValueOption memory_;
};

/// --max-time and --max-memory: what a run may take of this computer.
class LimitOptions {
 public:
  void addTo(CLI::App& command);
  [[nodiscard]] run::HostLimits limits() const;

 private:
  ValueOption time_;
  MemoryOption memory_;
};

/// --cache and --cache-size.
class CacheOptions {
 public:
  void addTo(CLI::App& command);
  [[nodiscard]] CacheArguments cache() const;

 private:
  ValueOption folder_;
  ValueOption size_;
};

}  // namespace ipusim::cli
