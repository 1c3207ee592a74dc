// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/closed_form/chip_barriers.h"

#include <utility>

namespace ipusim::models {

namespace {

/// How long a memory takes until all IPUs are done, of which each wants so many 2^-kRateBits bytes.
/// All that are not done have had equally much: with the IPUs in ascending order of what they want,
/// a step from one to the next has as many of them active as are left.
Cycles sharedCycles(std::vector<std::uint64_t> wanted, const StreamingTiming& memory) {
  std::sort(wanted.begin(), wanted.end());
  std::uint64_t cycles = 0;
  std::uint64_t each_had = 0;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (wanted[i] <= each_had) continue;
    const std::uint64_t share = std::min(memory.ipu_rate, memory.rate / (wanted.size() - i));
    const std::uint64_t step = ceilDiv(wanted[i] - each_had, share);
    cycles += step;
    each_had += step * share;
  }
  return Cycles(cycles);
}

}  // namespace

ChipBarriers::ChipBarriers(const std::vector<GlobalExchange>& exchanges, std::uint32_t link_sets,
                           std::vector<const ChipPrograms*> ipus)
    : exchanges_(exchanges), links_(link_sets), ipus_(std::move(ipus)) {}

Cycles ChipBarriers::remoteEnd(std::uint32_t transfer, Cycles begin) const {
  const StreamingTiming& memory = ipus_.front()->timing.streaming;
  Cycles longest;
  std::vector<std::uint64_t> wanted;
  for (std::size_t i = 0; i < ipus_.size(); ++i) {
    const RemoteTransfer& of_ipu = ipus_[i]->remote_transfers[transfer];
    longest = std::max(longest, of_ipu.ports);
    wanted.push_back(of_ipu.on_memory.value() << StreamingTiming::kRateBits);
    if (wanted.size() < memory.ipus && i + 1 < ipus_.size()) continue;
    longest = std::max(longest, sharedCycles(std::move(wanted), memory));
    wanted.clear();
  }
  return begin + memory.fixed + longest;
}

}  // namespace ipusim::models
