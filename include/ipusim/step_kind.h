// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim {

/// What a step of a compiled program does.
enum class StepKind : std::uint8_t {
  Compute,
  OnTileCopy,
  Sync,
  Exchange,
  GlobalExchange,
  HostCopy,
  RemoteBegin,  ///< a transfer with streaming memory begins
  RemoteEnd     ///< it has ended
};

/// The name of a kind in results: compute, copy, sync, exchange, global_exchange,
/// host, remote_begin or remote.
const char* nameOf(StepKind kind);

}  // namespace ipusim
