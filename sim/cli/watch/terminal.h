// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

// Standard output carries the answer only. All other text goes to standard error.

namespace ipusim::cli {

/// How often a line of progress is written anew.
constexpr std::chrono::milliseconds kRefresh(250);

/// Writes the answer. A reader that has left (| head) is no error. Any other failure is a
/// ConfigError.
void print(std::string_view answer);

/// The columns that a table may take: those of the terminal that standard output is, within the
/// limits of a table, and those of a page elsewhere.
std::size_t tableColumns();

/// Whether standard output is a terminal that shows colours. NO_COLOR in the environment says no.
bool hasColours();

/// Writes a line to standard error.
void say(const std::string& line);

/// From now on an interrupt (SIGINT, SIGTERM or SIGHUP) ends the program with exit code 130, and a
/// closed pipe or a file above the limit for files is a write error in place of a signal.
void handleSignals();

/// Counts interrupts while it lives, so that they end nothing.
class CountedInterrupts {
 public:
  CountedInterrupts();
  CountedInterrupts(const CountedInterrupts&) = delete;
  CountedInterrupts& operator=(const CountedInterrupts&) = delete;
  ~CountedInterrupts();

  [[nodiscard]] static int count();
};

}  // namespace ipusim::cli
