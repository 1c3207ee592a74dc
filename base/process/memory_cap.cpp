// SPDX-License-Identifier: Apache-2.0
#include "base/process/memory_cap.h"

#include <algorithm>
#include <fstream>
#include <string>

namespace ipusim {

namespace {

/// A line of a file of the system, such as `VmData:   7188 kB`. 0 when it is not there.
Bytes kilobytesAt(const char* file, const std::string& key) {
  std::ifstream lines(file);
  std::string word;
  std::uint64_t kilobytes = 0;
  while (lines >> word) {
    if (word == key && lines >> kilobytes) return Bytes(1024 * kilobytes);
  }
  return Bytes();
}

}  // namespace

Bytes availableMemory() {
  return kilobytesAt("/proc/meminfo", "MemAvailable:");
}

MemoryCap::MemoryCap(Bytes more) {
  if (getrlimit(RLIMIT_DATA, &before_) != 0) before_ = {RLIM_INFINITY, RLIM_INFINITY};
  const Bytes now = kilobytesAt("/proc/self/status", "VmData:");
  rlimit lower = before_;
  lower.rlim_cur = std::min<rlim_t>(before_.rlim_cur, (now + more).value());
  if (now.value() > 0) setrlimit(RLIMIT_DATA, &lower);
}

MemoryCap::~MemoryCap() {
  setrlimit(RLIMIT_DATA, &before_);
}

}  // namespace ipusim
