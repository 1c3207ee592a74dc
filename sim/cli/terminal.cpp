// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/terminal.h"

#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <system_error>

#include "base/write_all.h"
#include "ipusim/error.h"
#include "sim/cli/exit_code.h"

namespace ipusim::cli {

namespace {

/// Ending at once leaves no file half written: replaceFile blocks signals.
extern "C" void endInterrupted(int /*signal*/) {
  _exit(static_cast<int>(ExitCode::Interrupted));
}

volatile std::sig_atomic_t interrupts = 0;

extern "C" void countInterrupt(int /*signal*/) {
  interrupts = interrupts + 1;
}

void onInterrupt(void (*handler)(int)) {
  struct sigaction interrupt {};
  interrupt.sa_handler = handler;
  interrupt.sa_flags = SA_RESTART;
  sigaction(SIGINT, &interrupt, nullptr);
}

}  // namespace

void print(std::string_view answer) {
  const std::error_code error = writeAll(STDOUT_FILENO, answer);
  if (!error || error == std::errc::broken_pipe) return;
  throw ConfigError("standard output: wanted to write the answer, found: " + error.message());
}

void say(const std::string& line) {
  std::fflush(stderr);  // ends a redrawn line before the message
  (void)writeAll(STDERR_FILENO, line + '\n');
}

void handleSignals() {
  onInterrupt(endInterrupted);
  struct sigaction closed_pipe {};
  closed_pipe.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &closed_pipe, nullptr);
}

CountedInterrupts::CountedInterrupts() {
  interrupts = 0;
  onInterrupt(countInterrupt);
}

CountedInterrupts::~CountedInterrupts() {
  onInterrupt(endInterrupted);
}

int CountedInterrupts::count() {
  return interrupts;
}

}  // namespace ipusim::cli
