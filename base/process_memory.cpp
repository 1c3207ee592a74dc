// SPDX-License-Identifier: Apache-2.0
#include "base/process_memory.h"

#include <unistd.h>

#include <fstream>
#include <string>

namespace ipusim {

Bytes residentMemory(pid_t process) {
  static const auto kPageBytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  std::ifstream statm("/proc/" + std::to_string(process) + "/statm");
  std::uint64_t size_pages = 0;
  std::uint64_t resident_pages = 0;
  statm >> size_pages >> resident_pages;
  return Bytes(resident_pages * kPageBytes);
}

}  // namespace ipusim
