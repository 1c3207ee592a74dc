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

/// While the object lives, something is going on of which nobody knows how much it will take, such
/// as the building of a graph. Says so once when it takes long or much memory.
class BuildWatch {
 public:
  /// What may be taken without a word.
  struct Quiet {
    double seconds;
    Bytes memory;
  };

  /// `what` is a literal. `say` is called from another thread, at most once.
  BuildWatch(const char* what, const Quiet& quiet,
             std::function<void(const std::string& line)> say);
  BuildWatch(const BuildWatch&) = delete;
  BuildWatch& operator=(const BuildWatch&) = delete;
  ~BuildWatch();

 private:
  void watch();
  [[nodiscard]] bool hasTold() const;

  const char* what_;
  Quiet quiet_;
  std::function<void(const std::string&)> say_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::mutex mutex_;
  std::condition_variable ended_;
  bool end_ = false;
  std::thread watcher_;
};

}  // namespace ipusim::cli
