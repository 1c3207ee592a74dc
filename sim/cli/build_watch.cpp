// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/build_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <new>
#include <system_error>
#include <utility>

#include "base/process_memory.h"
#include "base/signals.h"
#include "sim/report/quantity.h"

namespace ipusim::cli {

BuildWatch::BuildWatch(const char* what, const Quiet& quiet,
                       std::function<void(const std::string&)> say)
    : what_(what), quiet_(quiet), say_(std::move(say)) {
  try {
    watcher_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
    // The system gives no more threads. The run does without a word.
  }
}

BuildWatch::~BuildWatch() {
  if (!watcher_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    end_ = true;
  }
  ended_.notify_one();
  watcher_.join();
}

void BuildWatch::watch() {
  leaveSignalsToOthers();
  constexpr std::chrono::milliseconds kOften(50);
  std::unique_lock lock(mutex_);
  while (!ended_.wait_for(lock, kOften, [this] { return end_; })) {
    try {
      if (hasTold()) return;
    } catch (const std::bad_alloc&) {
      // The program holds all the memory that it may: it is asked again soon.
    }
  }
}

bool BuildWatch::hasTold() const {
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin_;
  const Bytes memory = residentMemory(getpid());
  if (taken.count() < quiet_.seconds && memory < quiet_.memory) return false;
  say_(
      fmt::format("ipusim: {} has taken {} and {} of this computer, and how "
                  "much the run will take is not known yet (--max-time and --max-memory limit it)",
                  what_, run::secondsText(taken.count()), run::bytesText(memory)));
  return true;
}

}  // namespace ipusim::cli
