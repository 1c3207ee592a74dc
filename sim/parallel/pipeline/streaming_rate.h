// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/parallel/pipeline/settings.h"

namespace ipusim::parallel {

/// What an IPU gets of the memory beside it while all IPUs in use transfer.
struct StreamingRate {
  double fixed_seconds = 0;  ///< of a transfer, besides its bytes
  double bytes_per_second = 0;

  /// One transfer in one direction. Nothing takes no time.
  [[nodiscard]] double seconds(Bytes bytes) const {
    if (bytes == Bytes(0)) return 0;
    return fixed_seconds + static_cast<double>(bytes.value()) / bytes_per_second;
  }
};

/// IPUs of a machine share its rate evenly. A transfer has the fixed cost of an exchange between
/// IPUs. Without streaming memory, the rate is 0.
StreamingRate streamingRate(const ParallelTraining& training);

}  // namespace ipusim::parallel
