// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/watch/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <new>
#include <utility>

#include "base/error_boundary.h"
#include "base/process/signals.h"
#include "sim/cli/watch/terminal.h"

namespace ipusim::cli {

namespace {

constexpr std::chrono::milliseconds kLong(700);

}  // namespace

ProgressLine::ProgressLine() : is_terminal_(isatty(STDERR_FILENO) == 1) {}

ProgressLine::~ProgressLine() {
  erase();
}

void ProgressLine::erase() {
  if (drawn_) std::fputs(kEraseLine, stderr);
  drawn_ = false;
}

void ProgressLine::draw(const std::string& text) {
  drawn_ = true;
  fmt::print(stderr, "{}{}", kEraseLine, text);
  std::fflush(stderr);
}

Progress::Progress(std::string what) : what_(std::move(what)) {
  if (line_.isTerminal()) watcher_ = std::thread([this] { watch(); });
}

Progress::~Progress() {
  if (!watcher_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  watcher_.join();
}

void Progress::now(std::string what) {
  const std::lock_guard lock(mutex_);
  what_ = std::move(what);
}

void Progress::say(const std::string& line) {
  const std::lock_guard lock(mutex_);
  line_.erase();
  cli::say(line);
}

void Progress::watch() {
  leaveSignalsToOthers();  // to the working thread, which blocks them while it writes a file
  std::unique_lock lock(mutex_);
  if (ended_.wait_for(lock, kLong, [this] { return end_; })) return;
  do {
    const auto seconds =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begin_);
    // Where the program holds all the memory that it may, the next line may find some.
    static_cast<void>(faultOf<std::bad_alloc>(
        [&] { line_.draw(fmt::format("ipusim: {} ({} s)", what_, seconds.count())); }));
  } while (!ended_.wait_for(lock, kRefresh, [this] { return end_; }));
}

}  // namespace ipusim::cli
