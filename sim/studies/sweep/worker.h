// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/studies/sweep/point.h"

namespace ipusim::explore {

using Evaluate = std::function<PointResult(std::uint64_t)>;

/// A process that computes one point after the other. It ends with its owner, whatever ends that.
class Worker {
 public:
  /// Starts it. In the process only `evaluate` is called, which must not throw; `not_its_own` are
  /// descriptors of this process that it closes. Throws ConfigError where the system has no process
  /// left.
  Worker(const Evaluate& evaluate, const std::vector<int>& not_its_own);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  /// Has it compute a point; false where it is no more. Not while it is at one.
  bool give(std::uint64_t point);
  /// The point it is at.
  [[nodiscard]] std::optional<std::uint64_t> point() const { return point_; }

  /// Readable when there is something to receive.
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// The result of its point, if it is whole; else none, at once. A process that is no more has
  /// failed: the reason says what ended it.
  std::optional<PointResult> receive();

  /// Ends it in the middle of its point, which has failed for that reason.
  PointResult abandon(const std::string& reason);

 private:
  [[nodiscard]] PointResult failed(std::string reason);
  [[nodiscard]] std::optional<PointResult> wholeResult();
  /// Waits for its end and says what it was.
  std::string end();

  pid_t process_ = -1;
  int descriptor_ = -1;
  std::optional<std::uint64_t> point_;
  double begin_seconds_ = 0;
  std::string received_;
};

}  // namespace ipusim::explore
