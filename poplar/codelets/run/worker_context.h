// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ipusim::codelets {

/// What the code of a worker is told: the twin of Context in poplar/device/include/builtins.h.
struct WorkerContext {
  std::uint32_t tile;
  std::uint32_t worker;
  std::uint32_t workers;
  std::uint32_t reserved;
  std::uint64_t random[2];  // NOLINT(modernize-avoid-c-arrays): the layout that codelets see
  std::uint64_t clock;
};
static_assert(sizeof(WorkerContext) == 40, "poplar/device/include/builtins.h has 40 bytes");

}  // namespace ipusim::codelets
