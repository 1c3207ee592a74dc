// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/breakdown.h"

#include <algorithm>

#include "base/config/words.h"

namespace ipusim::gpu {
namespace {

Breakdown finished(Breakdown parts, double resources) {
  parts.device_seconds =
      resources + parts.launch_seconds + parts.combine_seconds + parts.framework_seconds;
  parts.seconds = std::max(parts.device_seconds, parts.host_seconds);
  parts.bound = boundOf(parts);
  return parts;
}

}  // namespace

const char* nameOf(Bound bound) {
  static constexpr Words<Bound, 6> kWords{{{Bound::Compute, "compute"},
                                           {Bound::LoadPipe, "load pipe"},
                                           {Bound::L2, "L2"},
                                           {Bound::Dram, "DRAM"},
                                           {Bound::Launch, "launch"},
                                           {Bound::Host, "host"}}};
  return wordOf(bound, kWords);
}

Bound boundOf(const Breakdown& parts) {
  if (parts.host_seconds > parts.device_seconds) return Bound::Host;
  Bound bound = Bound::Compute;
  double longest = parts.compute_seconds;
  const auto consider = [&](Bound other, double seconds) {
    if (seconds <= longest) return;
    longest = seconds;
    bound = other;
  };
  consider(Bound::LoadPipe, parts.load_pipe_seconds);
  consider(Bound::L2, parts.l2_seconds);
  consider(Bound::Dram, parts.dram_seconds);
  consider(Bound::Launch, parts.launch_seconds);
  return bound;
}

Breakdown overlapped(Breakdown parts) {
  const double longest = std::max(
      {parts.compute_seconds, parts.load_pipe_seconds, parts.l2_seconds, parts.dram_seconds});
  return finished(parts, longest);
}

Breakdown inSequence(Breakdown parts) {
  const double sum =
      parts.compute_seconds + parts.load_pipe_seconds + parts.l2_seconds + parts.dram_seconds;
  return finished(parts, sum);
}

Breakdown operator+(const Breakdown& a, const Breakdown& b) {
  Breakdown sum;
  sum.compute_seconds = a.compute_seconds + b.compute_seconds;
  sum.load_pipe_seconds = a.load_pipe_seconds + b.load_pipe_seconds;
  sum.l2_seconds = a.l2_seconds + b.l2_seconds;
  sum.dram_seconds = a.dram_seconds + b.dram_seconds;
  sum.launch_seconds = a.launch_seconds + b.launch_seconds;
  sum.combine_seconds = a.combine_seconds + b.combine_seconds;
  sum.framework_seconds = a.framework_seconds + b.framework_seconds;
  sum.device_seconds = a.device_seconds + b.device_seconds;
  sum.host_seconds = a.host_seconds + b.host_seconds;
  sum.seconds = a.seconds + b.seconds;
  sum.bound = boundOf(sum);
  return sum;
}

Breakdown operator*(const Breakdown& parts, double times) {
  Breakdown product;
  product.compute_seconds = parts.compute_seconds * times;
  product.load_pipe_seconds = parts.load_pipe_seconds * times;
  product.l2_seconds = parts.l2_seconds * times;
  product.dram_seconds = parts.dram_seconds * times;
  product.launch_seconds = parts.launch_seconds * times;
  product.combine_seconds = parts.combine_seconds * times;
  product.framework_seconds = parts.framework_seconds * times;
  product.device_seconds = parts.device_seconds * times;
  product.host_seconds = parts.host_seconds * times;
  product.seconds = parts.seconds * times;
  product.bound = parts.bound;
  return product;
}

}  // namespace ipusim::gpu
