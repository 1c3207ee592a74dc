// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>

#include "ipusim/units.h"

namespace ipusim::validate {

/// The memory that runs on several threads take at once, as they are expected to. A run that needs
/// much waits while others hold much.
class MemoryBudget {
 public:
  explicit MemoryBudget(Bytes most) : most_(most) {}

  /// What one run holds, until the object goes.
  class Share {
   public:
    explicit Share(MemoryBudget& budget) : budget_(budget) {}
    Share(const Share&) = delete;
    Share& operator=(const Share&) = delete;
    ~Share();

    /// Holds `bytes` in all from now on. The first call waits until the bytes are within the budget
    /// or nobody else holds any. A later call adds what is missing and never waits: two runs that
    /// hold shares could wait for each other.
    void hold(Bytes bytes);

   private:
    MemoryBudget& budget_;
    Bytes held_;
  };

 private:
  Bytes most_;
  std::mutex mutex_;
  std::condition_variable freed_;
  Bytes held_;  // by all shares
};

}  // namespace ipusim::validate
