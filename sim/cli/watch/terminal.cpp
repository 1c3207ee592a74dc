// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/watch/terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "base/files/write_all.h"
#include "ipusim/error.h"
#include "sim/cli/exit_code.h"
#include "sim/report/text/table_options.h"

namespace ipusim::cli {

namespace {

/// Ending at once leaves no file half written: replaceFile blocks signals.
extern "C" void endInterrupted(int /*signal*/) {
  _exit(static_cast<int>(ExitCode::Interrupted));
}

volatile std::sig_atomic_t counted_interrupts = 0;

extern "C" void countInterrupt(int /*signal*/) {
  counted_interrupts = counted_interrupts + 1;
}

/// What ends a program from outside and lets it end in order: a key, the system or a queue of jobs,
/// and a terminal that closes.
constexpr std::array<int, 3> kInterrupts = {SIGINT, SIGTERM, SIGHUP};

/// nohup has signals ignored.
bool isIgnored(int signal) {
  struct sigaction now {};
  sigaction(signal, nullptr, &now);
  return now.sa_handler == SIG_IGN;
}

void onInterrupt(void (*handler)(int)) {
  struct sigaction interrupt {};
  interrupt.sa_handler = handler;
  interrupt.sa_flags = SA_RESTART;
  for (const int signal : kInterrupts) {
    if (signal == SIGINT || !isIgnored(signal)) sigaction(signal, &interrupt, nullptr);
  }
}

void ignore(int signal) {
  struct sigaction ignored {};
  ignored.sa_handler = SIG_IGN;
  sigaction(signal, &ignored, nullptr);
}

}  // namespace

void print(std::string_view answer) {
  const std::error_code error = writeAll(STDOUT_FILENO, answer);
  if (!error || error == std::errc::broken_pipe) return;
  throw ConfigError("standard output: wanted to write the answer, found: " + error.message());
}

std::size_t tableColumns() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
      size.ws_col == 0) {
    return report::kPageWidth;
  }
  return std::clamp<std::size_t>(size.ws_col, report::kNarrowest, report::kWidest);
}

bool hasColours() {
  const char* refused = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool is_dumb = terminal == nullptr || std::string_view(terminal) == "dumb";
  return isatty(STDOUT_FILENO) != 0 && !is_dumb && (refused == nullptr || *refused == '\0');
}

void say(const std::string& line) {
  std::fflush(stderr);  // ends a redrawn line before the message
  (void)writeAll(STDERR_FILENO, line + '\n');
}

void handleSignals() {
  onInterrupt(endInterrupted);
  ignore(SIGPIPE);
  ignore(SIGXFSZ);
}

CountedInterrupts::CountedInterrupts() {
  counted_interrupts = 0;
  onInterrupt(countInterrupt);
}

CountedInterrupts::~CountedInterrupts() {
  onInterrupt(endInterrupted);
}

int CountedInterrupts::count() {
  return counted_interrupts;
}

}  // namespace ipusim::cli
