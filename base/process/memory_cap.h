// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>

#include "ipusim/units.h"

namespace ipusim {

/// The bytes of physical memory that processes can take now without swapping. 0 when the system
/// does not say.
Bytes availableMemory();

/// While it lives, this process can take a number of bytes more, and an allocation beyond them
/// throws std::bad_alloc. Without it the system ends a process that takes all of its memory, and
/// the user reads nothing. Does nothing where the system has no such limit.
class MemoryCap {
 public:
  explicit MemoryCap(Bytes more);
  ~MemoryCap();
  MemoryCap(const MemoryCap&) = delete;
  MemoryCap& operator=(const MemoryCap&) = delete;

 private:
  rlimit before_{};
};

}  // namespace ipusim
