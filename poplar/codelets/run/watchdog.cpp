// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/run/watchdog.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "base/process/signals.h"

namespace ipusim::codelets {

namespace {

constexpr std::chrono::milliseconds kBetweenLooks(20);

/// The thread that looks at all others, as long as there are any.
class Watchdog {
 public:
  void add(WatchedThread* thread) {
    const std::lock_guard lock(mutex_);
    threads_.push_back(thread);
    if (!looks_.joinable()) looks_ = std::thread([this] { run(); });
  }
  void remove(WatchedThread* thread) {
    const std::lock_guard lock(mutex_);
    threads_.erase(std::find(threads_.begin(), threads_.end(), thread));
  }
  ~Watchdog() {
    {
      const std::lock_guard lock(mutex_);
      stops_ = true;
    }
    ends_.notify_all();
    if (looks_.joinable()) looks_.join();
  }

 private:
  void run() {
    leaveSignalsToOthers();
    std::unique_lock lock(mutex_);
    while (!stops_) {
      const auto now = std::chrono::steady_clock::now();
      for (WatchedThread* thread : threads_) thread->look(now);
      ends_.wait_for(lock, kBetweenLooks);
    }
  }

  std::mutex mutex_;
  std::condition_variable ends_;
  std::thread looks_;
  std::vector<WatchedThread*> threads_;
  bool stops_ = false;
};

Watchdog& watchdog() {
  static Watchdog only;
  return only;
}

}  // namespace

WatchedThread::WatchedThread() : thread_(pthread_self()) {
  watchdog().add(this);
}

WatchedThread::~WatchedThread() {
  watchdog().remove(this);
}

void WatchedThread::look(std::chrono::steady_clock::time_point now) {
  const std::uint64_t calls = calls_.load(std::memory_order_acquire);
  if (calls != seen_calls_) {
    seen_calls_ = calls;
    seen_since_ = now;
    return;
  }
  const bool is_inside = calls % 2 == 1;
  if (is_inside && now - seen_since_ >= limit_.load(std::memory_order_relaxed)) {
    pthread_kill(thread_, kWatchdogSignal);
  }
}

}  // namespace ipusim::codelets
