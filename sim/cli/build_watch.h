// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "ipusim/units.h"

namespace ipusim::cli {

/// While the object lives, a graph is being built whose size nobody knows. Says so once when that
/// takes long or much memory.
class BuildWatch {
 public:
  /// What may be taken without a word.
  struct Quiet {
    double seconds;
    Bytes memory;
  };

  /// `say` is called from another thread, at most once.
  BuildWatch(const Quiet& quiet, std::function<void(const std::string& line)> say);
  BuildWatch(const BuildWatch&) = delete;
  BuildWatch& operator=(const BuildWatch&) = delete;
  ~BuildWatch();

 private:
  void watch();

  Quiet quiet_;
  std::function<void(const std::string&)> say_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread watcher_;
};

}  // namespace ipusim::cli
