// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>

namespace ipusim::codelets {

/// What a thread gets whose call takes too long. The system ignores it where nobody asks for it.
constexpr int kWatchdogSignal = SIGURG;

/// The calls of one thread as the watchdog sees them: a thread of its own looks at all calls now
/// and then, so that a call costs two stores. The object belongs to the thread that makes it.
class WatchedThread {
 public:
  WatchedThread();
  WatchedThread(const WatchedThread&) = delete;
  WatchedThread& operator=(const WatchedThread&) = delete;
  ~WatchedThread();

  void begin(std::chrono::milliseconds limit) {
    limit_.store(limit, std::memory_order_relaxed);
    calls_.store(calls_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }
  void end() {
    calls_.store(calls_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
  }

  /// Sends the signal where a call is older than its limit. The watchdog calls it.
  void look(std::chrono::steady_clock::time_point now);

 private:
  pthread_t thread_;
  std::atomic<std::uint64_t> calls_ = 0;  ///< odd during a call
  std::atomic<std::chrono::milliseconds> limit_{};
  std::uint64_t seen_calls_ = 0;
  std::chrono::steady_clock::time_point seen_since_;
};

}  // namespace ipusim::codelets
