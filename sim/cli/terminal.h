// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

// Standard output carries the answer only; everything else that is said goes to standard error.

namespace ipusim::cli {

/// Writes the answer. A reader that has left (| head) is no error; anything else is a ConfigError.
void print(std::string_view answer);

/// Writes a line to standard error.
void say(const std::string& line);

/// From here on an interrupt ends the program with exit code 130, and a closed pipe is an error of
/// the write and no signal.
void handleSignals();

/// While it lives interrupts are counted and end nothing.
class CountedInterrupts {
 public:
  CountedInterrupts();
  CountedInterrupts(const CountedInterrupts&) = delete;
  CountedInterrupts& operator=(const CountedInterrupts&) = delete;
  ~CountedInterrupts();

  [[nodiscard]] static int count();
};

}  // namespace ipusim::cli
