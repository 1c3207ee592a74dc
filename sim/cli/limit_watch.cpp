// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/limit_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>

#include "base/process_memory.h"
#include "base/signals.h"
#include "base/write_all.h"
#include "sim/cli/exit_code.h"
#include "sim/cli/progress.h"
#include "sim/report/quantity.h"

namespace ipusim::cli {

namespace {

/// How often the limits are checked. A program that fills memory at 2 GB/s goes 10 MB past its
/// limit within this time.
constexpr std::chrono::milliseconds kEvery(5);

/// The line of a program that ends. The watcher writes it before it sends the signal.
std::string last_line;

/// Ends the program. No file is half written then, because replaceFile blocks signals.
extern "C" void endOverLimit(int /*signal*/) {
  (void)writeAll(STDERR_FILENO, last_line);
  _exit(static_cast<int>(ExitCode::ToMend));
}

void handleOverLimit() {
  struct sigaction over_limit {};
  over_limit.sa_handler = endOverLimit;
  sigaction(SIGUSR1, &over_limit, nullptr);
}

}  // namespace

LimitWatch::LimitWatch(const run::HostLimits& limits, Engine engine)
    : limits_(limits), engine_(engine) {
  if (!limits.seconds && !limits.memory) return;
  handleOverLimit();
  watcher_ = std::thread([this] { watch(); });
}

LimitWatch::~LimitWatch() {
  if (!watcher_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  watcher_.join();
}

void LimitWatch::watch() {
  leaveSignalsToOthers();
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kEvery, [this] { return end_; })) {
    if (isOverTime()) {
      return end(fmt::format("--max-time: wanted a run within {}, found it unfinished ({}); {}",
                             run::secondsText(*limits_.seconds), what_.load(), adviceOn(engine_)));
    }
    if (isOverMemory()) {
      return end(fmt::format("--max-memory: wanted a run within {}, found it to need more ({}); {}",
                             run::bytesText(*limits_.memory), what_.load(), adviceOn(engine_)));
    }
  }
}

bool LimitWatch::isOverTime() const {
  const std::chrono::duration<double> taken = Clock::now() - begin_;
  return limits_.seconds && taken.count() > *limits_.seconds;
}

bool LimitWatch::isOverMemory() const {
  return limits_.memory && residentMemory(getpid()) > *limits_.memory;
}

void LimitWatch::end(const std::string& line) const {
  last_line = fmt::format("{}{}\n", isatty(STDERR_FILENO) == 1 ? kEraseLine : "", line);
  pthread_kill(worker_, SIGUSR1);
}

}  // namespace ipusim::cli
