// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/attended_program.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <system_error>

#include "base/text/message.h"
#include "ipusim/error.h"
#include "sim/cli/watch/terminal.h"

namespace ipusim::cli {

namespace {

constexpr int kSignalled = 128;

/// The environment of this process, with some variables set.
std::vector<std::string> environmentWith(const Variables& variables) {
  std::vector<std::string> lines;
  for (char** line = environ; *line != nullptr; ++line) {
    const std::string name(*line, std::strcspn(*line, "="));
    const bool is_replaced =
        std::any_of(variables.begin(), variables.end(),
                    [&name](const auto& variable) { return variable.first == name; });
    if (!is_replaced) lines.emplace_back(*line);
  }
  for (const auto& [name, value] : variables) lines.push_back(fmt::format("{}={}", name, value));
  return lines;
}

std::vector<char*> pointersTo(std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  for (std::string& text : texts) pointers.push_back(text.data());
  pointers.push_back(nullptr);
  return pointers;
}

/// While it lives, the limit that ends this process in time is lifted: a program that it starts
/// would inherit it.
class LiftedMemoryLimit {
 public:
  LiftedMemoryLimit() {
    getrlimit(RLIMIT_DATA, &before_);
    const rlimit lifted{before_.rlim_max, before_.rlim_max};
    setrlimit(RLIMIT_DATA, &lifted);
  }
  ~LiftedMemoryLimit() { setrlimit(RLIMIT_DATA, &before_); }
  LiftedMemoryLimit(const LiftedMemoryLimit&) = delete;
  LiftedMemoryLimit& operator=(const LiftedMemoryLimit&) = delete;

 private:
  rlimit before_{};
};

/// The program that is attended; 0 while there is none.
volatile std::sig_atomic_t attended = 0;

extern "C" void passOn(int signal) {
  if (attended > 0) kill(attended, signal);
}

/// While it lives, a signal that ends this process ends the program instead, whose files then go.
class PassedSignals {
 public:
  PassedSignals() {
    passFrom(SIGTERM, terminate_);
    passFrom(SIGHUP, hang_up_);
  }
  ~PassedSignals() {
    sigaction(SIGTERM, &terminate_, nullptr);
    sigaction(SIGHUP, &hang_up_, nullptr);
  }
  PassedSignals(const PassedSignals&) = delete;
  PassedSignals& operator=(const PassedSignals&) = delete;

 private:
  /// A signal that this process ignores, as under nohup, is ignored by the program, too.
  static void passFrom(int signal, struct sigaction& before) {
    sigaction(signal, nullptr, &before);
    if (before.sa_handler == SIG_IGN) return;
    struct sigaction pass {};
    pass.sa_handler = passOn;
    pass.sa_flags = SA_RESTART;
    sigaction(signal, &pass, nullptr);
  }

  struct sigaction terminate_ {};
  struct sigaction hang_up_ {};
};

/// While it lives, the signals that are passed on wait.
class HeldSignals {
 public:
  HeldSignals() {
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGTERM);
    sigaddset(&held, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &held, &before_);
  }
  ~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;

  [[nodiscard]] const sigset_t& before() const { return before_; }

 private:
  sigset_t before_{};
};

/// Starts the program with the usual answers to signals, and with `mask`.
int start(pid_t& process, char* const* words, char* const* environment, const sigset_t& mask) {
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t usual;
  sigemptyset(&usual);
  sigaddset(&usual, SIGPIPE);
  sigaddset(&usual, SIGXFSZ);
  posix_spawnattr_setsigdefault(&attributes, &usual);
  posix_spawnattr_setsigmask(&attributes, &mask);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  const LiftedMemoryLimit lifted;
  const int fault = posix_spawnp(&process, words[0], nullptr, &attributes, words, environment);
  posix_spawnattr_destroy(&attributes);
  return fault;
}

/// Starts the program that is attended from then on.
int startAttended(std::vector<std::string>& words, const Variables& variables) {
  std::vector<std::string> lines = environmentWith(variables);
  const HeldSignals held;
  pid_t process = -1;
  const int fault =
      start(process, pointersTo(words).data(), pointersTo(lines).data(), held.before());
  if (fault == 0) attended = process;
  return fault;
}

/// Waits for the program's end. Its number may then be given to another program, so a signal that
/// comes later must not find it.
int waitForEnd(pid_t process) {
  siginfo_t ended{};
  while (waitid(P_PID, static_cast<id_t>(process), &ended, WEXITED | WNOWAIT) < 0 &&
         errno == EINTR) {
  }
  attended = 0;
  int status = 0;
  while (waitpid(process, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFSIGNALED(status) ? kSignalled + WTERMSIG(status) : WEXITSTATUS(status);
}

}  // namespace

int attend(std::vector<std::string> words, const Variables& variables) {
  const CountedInterrupts not_of_this_process;
  const PassedSignals to_the_program;
  const int fault = startAttended(words, variables);
  if (fault != 0) {
    throw ConfigError(fmt::format("{}: wanted a program that starts, found: {}",
                                  oneLine(words.front()),
                                  std::error_code(fault, std::generic_category()).message()));
  }
  return waitForEnd(attended);
}

}  // namespace ipusim::cli
