// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/build_watch.h"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

#include "base/process_memory.h"
#include "base/signals.h"
#include "sim/report/quantity.h"

namespace ipusim::cli {

BuildWatch::BuildWatch(const char* what, const Quiet& quiet,
                       std::function<void(const std::string&)> say)
    : what_(what), quiet_(quiet), say_(std::move(say)), watcher_([this] { watch(); }) {}

BuildWatch::~BuildWatch() {
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
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin_;
    const Bytes memory = residentMemory(getpid());
    if (taken.count() < quiet_.seconds && memory < quiet_.memory) continue;
    say_(
        fmt::format("ipusim: {} has taken {} and {} of this computer, and how "
                    "much the run will take is not known yet (--max-time and --max-memory limit "
                    "it)",
                    what_, run::secondsText(taken.count()), run::bytesText(memory)));
    return;
  }
}

}  // namespace ipusim::cli
