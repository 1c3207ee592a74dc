// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/cost/exchange/host.h"

#include <cmath>

namespace ipusim::models {

namespace {

Cycles cyclesAt(const Platform& platform, Bytes bytes, std::uint64_t bytes_per_second) {
  constexpr double kEndOfCount = 18446744073709551616.0;  // 2^64
  const double seconds = static_cast<double>(bytes.value()) / static_cast<double>(bytes_per_second);
  const double cycles = std::ceil(seconds * platform.clock_hz);
  if (cycles >= kEndOfCount) throwCountError();
  return Cycles(static_cast<std::uint64_t>(cycles));
}

}  // namespace

Cycles hostTransferCycles(const Platform& platform, Bytes bytes, HostPath path) {
  const HostRates& host = platform.host;
  const Cycles link = host.fixed + cyclesAt(platform, bytes, host.link_bytes_per_second);
  if (path == HostPath::Link) return link;
  return link + cyclesAt(platform, bytes, host.framework_bytes_per_second);
}

}  // namespace ipusim::models
