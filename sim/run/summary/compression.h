// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/run/run_result.h"

namespace ipusim::run {

/// Adds what the steps of codecs take in one of `training_steps` steps of a training. The names of
/// these steps tell: see withCompression.
CompressionResult compressionOf(const workloads::CompressionSummary& summary,
                                std::uint64_t training_steps, const Result& result);

}  // namespace ipusim::run
