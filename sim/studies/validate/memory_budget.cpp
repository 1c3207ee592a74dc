// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/memory_budget.h"

#include <malloc.h>

namespace ipusim::validate {

MemoryBudget::Share::~Share() {
  if (held_ == Bytes(0)) return;
  malloc_trim(0);  // what the run freed is otherwise kept for its thread
  {
    const std::lock_guard lock(budget_.mutex_);
    budget_.held_ = excess(budget_.held_, held_);
  }
  budget_.freed_.notify_all();
}

void MemoryBudget::Share::hold(Bytes bytes) {
  if (bytes <= held_) return;
  std::unique_lock lock(budget_.mutex_);
  if (held_ == Bytes(0)) {
    budget_.freed_.wait(
        lock, [&] { return budget_.held_ == Bytes(0) || budget_.held_ + bytes <= budget_.most_; });
  }
  budget_.held_ += excess(bytes, held_);
  held_ = bytes;
}

}  // namespace ipusim::validate
