// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace ipusim::cli {

/// Puts the cursor at the beginning of a terminal's line, and empties the line.
constexpr const char* kEraseLine = "\r\x1b[K";

/// A line of standard error that can be redrawn. The destructor erases it.
class ProgressLine {
 public:
  ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  ~ProgressLine();

  /// When false, nothing should be drawn.
  [[nodiscard]] bool isTerminal() const { return is_terminal_; }
  void draw(const std::string& text);
  /// Erases what was drawn.
  void erase();

 private:
  bool is_terminal_;
  bool drawn_ = false;
};

/// Shows on one line of standard error what is going on and for how long. It appears only on a
/// terminal and only when the work takes long. The destructor erases the line.
class Progress {
 public:
  explicit Progress(std::string what);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Sets what is going on from now on.
  void now(std::string what);
  /// Writes a line to standard error, above the one that shows what is going on.
  void say(const std::string& line);
  /// True when somebody can see what is going on.
  [[nodiscard]] bool isShown() const { return line_.isTerminal(); }

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
