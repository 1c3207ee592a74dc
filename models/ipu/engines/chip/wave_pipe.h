// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <atomic>
#include <exception>
#include <thread>

#include "base/files/write_file.h"

namespace ipusim::models {

/// A pipe from a trace file of SystemC, which writes in place and looks at no errors, to a sink,
/// which throws them. A thread reads it.
class WavePipe {
 public:
  /// `sink` must outlive this. Only the thread calls it until finish() returns.
  explicit WavePipe(const Sink& sink);
  WavePipe(const WavePipe&) = delete;
  WavePipe& operator=(const WavePipe&) = delete;
  /// Drops what comes where finish() was not called.
  ~WavePipe();

  /// The end to write into.
  [[nodiscard]] int writer() const { return ends_[1]; }

  /// Waits until the sink has all. Call when everybody else has closed the end to write into.
  /// Throws what the sink threw.
  void finish();

 private:
  void read();

  const Sink& sink_;
  std::array<int, 2> ends_{-1, -1};
  std::atomic<bool> is_abandoned_ = false;
  std::exception_ptr failure_;
  std::thread reader_;
};

}  // namespace ipusim::models
