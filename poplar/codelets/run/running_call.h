// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "poplar/codelets/codelets.h"
#include "poplar/codelets/run/image.h"
#include "poplar/codelets/run/worker_context.h"

namespace ipusim::codelets {

/// A call of compute() that a thread is in: what functions of the tile find when it calls them. The
/// parts must outlive the object, which is made and destroyed on one thread.
class RunningCall {
 public:
  RunningCall(WorkerContext& context, const Image& image, const std::vector<CodeBlock>& blocks);
  RunningCall(const RunningCall&) = delete;
  RunningCall& operator=(const RunningCall&) = delete;
  ~RunningCall();

  /// The next random number of the worker: xoroshiro128+ of Blackman and Vigna (2018).
  std::uint64_t random();
  /// Cycles that the worker has run.
  std::uint64_t clock();

  /// The call of this thread. There is one while a codelet runs.
  static RunningCall& current();

 private:
  WorkerContext& context_;
  const Image& image_;
  const std::vector<CodeBlock>& blocks_;
};

/// A worker, and the supervisor as well, issues once in so many cycles.
constexpr std::uint64_t kCyclesPerSlot = 6;

}  // namespace ipusim::codelets
