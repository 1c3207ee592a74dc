// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/run/run_result.h"

namespace ipusim::run {

/// Adds what the steps of codecs take, which their names tell: see withCompression.
CompressionResult compressionOf(const workloads::CompressionSummary& summary, const Result& result);

}  // namespace ipusim::run
