// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace ipusim::cli {

/// A line of standard error that is drawn over and goes with its owner.
class ProgressLine {
 public:
  ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// Where it is no terminal nothing is to be drawn.
  [[nodiscard]] bool isTerminal() const { return is_terminal_; }
  void draw(const std::string& text);
  /// Takes away what was drawn.
  void erase();

 private:
  bool is_terminal_;
  bool drawn_ = false;
};

/// Says on one line of standard error what goes on and since when, if that is a terminal and it
/// takes long. The line goes with this object.
class Progress {
 public:
  explicit Progress(std::string what);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// What goes on from now.
  void now(std::string what);

 private:
  void watch();

  std::mutex mutex_;
  std::condition_variable ended_;
  std::string what_;
  bool end_ = false;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  ProgressLine line_;
  std::thread watcher_;
};

}  // namespace ipusim::cli
