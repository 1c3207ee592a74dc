// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/studies/sweep/point.h"

namespace ipusim::sweep {

using Evaluate = std::function<PointResult(std::uint64_t)>;

/// A process that computes one point after the other. It ends with its owner, however the owner
/// ends.
class Worker {
 public:
  /// Starts the process. It calls only `evaluate`, which must not throw. `not_its_own` are
  /// descriptors of this process that the new one closes. Throws ConfigError when the system has no
  /// process left.
  Worker(const Evaluate& evaluate, const std::vector<int>& not_its_own);
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker();

  /// Lets the process compute a point. Returns false when the process has ended. Must not be called
  /// while the process computes another point.
  bool give(std::uint64_t point);
  /// The point that the process computes.
  [[nodiscard]] std::optional<std::uint64_t> point() const { return point_; }

  /// The process, -1 when it has ended.
  [[nodiscard]] pid_t process() const { return process_; }
  /// A descriptor that is readable when there is something to receive.
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// The result of the current point when it is complete, otherwise none; never waits. The point
  /// has failed when the process has ended: the reason then says what ended it.
  std::optional<PointResult> receive();

  /// Ends the process in the middle of its point, which has then failed for that reason.
  PointResult abandon(const std::string& reason);

 private:
  [[nodiscard]] PointResult failed(std::string reason);
  [[nodiscard]] std::optional<PointResult> wholeResult();
  /// Waits for the end of the process and describes it.
  std::string end();

  pid_t process_ = -1;
  int descriptor_ = -1;
  std::optional<std::uint64_t> point_;
  double begin_seconds_ = 0;
  std::string received_;
};

}  // namespace ipusim::sweep
