// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/terminal.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

#include "sim/base/error.h"
#include "sim/cli/exit_code.h"

namespace ipusim::cli {

namespace {

/// Files are never half written while signals get through (run::OutputFolder).
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
  while (!answer.empty()) {
    const ssize_t written = write(STDOUT_FILENO, answer.data(), answer.size());
    if (written >= 0) {
      answer.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EPIPE) {
      return;
    } else if (errno != EINTR) {
      throw ConfigError("standard output: wanted to write the answer, found: " +
                        std::error_code(errno, std::generic_category()).message());
    }
  }
}

void say(const std::string& line) {
  std::fprintf(stderr, "%s\n", line.c_str());
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
