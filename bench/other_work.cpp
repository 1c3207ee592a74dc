// SPDX-License-Identifier: Apache-2.0
#include "bench/other_work.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>

namespace ipusim::bench {

namespace {

/// Seconds that all processors together were busy, or were taken by other virtual machines. See
/// proc(5): user, nice, system, idle, iowait, irq, softirq and steal.
double busySeconds() {
  constexpr std::size_t kIdle = 3;
  constexpr std::size_t kWaiting = 4;
  std::ifstream in("/proc/stat");
  std::string name;
  std::array<double, 8> ticks{};
  in >> name;
  for (double& kind : ticks) in >> kind;
  double busy = 0;
  for (std::size_t kind = 0; kind < ticks.size(); ++kind) {
    if (kind != kIdle && kind != kWaiting) busy += ticks[kind];
  }
  return busy / static_cast<double>(sysconf(_SC_CLK_TCK));
}

}  // namespace

OtherWork::OtherWork()
    : busy_(busySeconds()), own_(std::clock()), start_(std::chrono::steady_clock::now()) {}

double OtherWork::processors() const {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start_;
  const double own = static_cast<double>(std::clock() - own_) / CLOCKS_PER_SEC;
  return std::max(0.0, (busySeconds() - busy_ - own) / passed.count());
}

}  // namespace ipusim::bench
