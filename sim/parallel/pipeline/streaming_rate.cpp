// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/streaming_rate.h"

#include <algorithm>

namespace ipusim::parallel {

StreamingRate streamingRate(const ParallelTraining& training) {
  const System& system = training.system;
  const StreamingMemory& memory = system.ipu.streaming;
  if (memory.ipus == 0) return {};
  const std::uint64_t sharing = std::min(memory.ipus, training.ipus());
  return {secondsOf(system.timing.fixed, system.ipu.clock_hz),
          std::min(static_cast<double>(memory.ipu_bytes_per_second),
                   static_cast<double>(memory.bytes_per_second) / static_cast<double>(sharing))};
}

}  // namespace ipusim::parallel
