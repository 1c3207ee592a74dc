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
  struct sigaction interrupt {};
  interrupt.sa_handler = endInterrupted;
  sigaction(SIGINT, &interrupt, nullptr);
  struct sigaction closed_pipe {};
  closed_pipe.sa_handler = SIG_IGN;
  sigaction(SIGPIPE, &closed_pipe, nullptr);
}

}  // namespace ipusim::cli
