// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <ctime>

namespace ipusim::bench {

/// What the machine does beside this process, from the construction on.
class OtherWork {
 public:
  OtherWork();

  /// How many processors others kept busy on average; 0 where the system does not say.
  [[nodiscard]] double processors() const;

 private:
  double busy_;
  std::clock_t own_;
  std::chrono::steady_clock::time_point start_;
};

}  // namespace ipusim::bench
