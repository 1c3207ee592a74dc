// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim {

/// What a step of a compiled program does.
enum class StepKind : std::uint8_t { Compute, OnTileCopy, Sync, Exchange, HostCopy };

/// How a kind is called in results: compute, copy, sync, exchange, host.
const char* nameOf(StepKind kind);

}  // namespace ipusim
