// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/watch/limit_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <new>

#include "base/error_boundary.h"
#include "base/files/write_all.h"
#include "base/process/process_memory.h"
#include "base/process/signals.h"
#include "sim/cli/exit_code.h"
#include "sim/cli/watch/progress.h"
#include "sim/report/text/quantity.h"

namespace ipusim::cli {

namespace {

/// How often the limits are checked. A program that fills memory at 2 GB/s goes 10 MB past its
/// limit within this time.
constexpr std::chrono::milliseconds kEvery(5);

/// What a program that ends writes: an answer, if it has one, and a line. The watcher sets them
/// before it sends the signal.
std::string last_answer;
std::string last_line;
ExitCode last_code = ExitCode::UserError;

/// Ends the program. No file is half written then, because replaceFile blocks signals.
extern "C" void endOverLimit(int /*signal*/) {
  (void)writeAll(STDOUT_FILENO, last_answer);
  (void)writeAll(STDERR_FILENO, last_line);
  _exit(static_cast<int>(last_code));
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

bool LimitWatch::endsOverLimit() const {
  if (isOverTime()) {
    end("--max-time", report::secondsText(*limits_.seconds), "unfinished");
    return true;
  }
  if (!isOverMemory()) return false;
  end("--max-memory", report::bytesText(*limits_.memory), "to need more");
  return true;
}

void LimitWatch::watch() {
  leaveSignalsToOthers();
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kEvery, [this] { return end_; })) {
    // A program that holds all the memory that it may is asked again soon.
    const auto is_over = resultOrNone<std::bad_alloc>([this] { return endsOverLimit(); });
    if (is_over.value_or(false)) return;
  }
}

void LimitWatch::endWith(const std::string& answer) {
  if (!watcher_.joinable()) return;
  const std::lock_guard lock(mutex_);
  last_answer = answer;
  last_code = ExitCode::Done;
  is_done_ = true;
}

std::optional<double> LimitWatch::secondsLeft() const {
  if (!limits_.seconds) return std::nullopt;
  const std::chrono::duration<double> taken = Clock::now() - begin_;
  return std::max(0.0, *limits_.seconds - taken.count());
}

bool LimitWatch::isOverTime() const {
  const std::chrono::duration<double> taken = Clock::now() - begin_;
  return limits_.seconds && taken.count() > *limits_.seconds;
}

bool LimitWatch::isOverMemory() const {
  return limits_.memory && residentMemory(getpid()) > *limits_.memory;
}

void LimitWatch::end(const char* option, const std::string& limit, const char* found) const {
  const std::string told =
      is_done_ ? fmt::format(
                     "ipusim: {} ended what came after the run ({}), which may be missing "
                     "from the answer",
                     option, what_.load())
               : fmt::format("{}: wanted a run within {}, found it {} ({}); {}", option, limit,
                             found, what_.load(), adviceOn(engine_));
  last_line = fmt::format("{}{}\n", isatty(STDERR_FILENO) == 1 ? kEraseLine : "", told);
  pthread_kill(worker_, SIGUSR1);
}

}  // namespace ipusim::cli
