// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "sim/compile/executable.h"
#include "sim/compile/lower/placement.h"

namespace ipusim::compiler {

/// Cuts a lowered program into those of the IPUs. Blocks keep their numbers, and get the numbers
/// that their tiles have on their own IPU. The program of one IPU is left as it is.
class IpuParts {
 public:
  /// `lowered` must outlive the parts.
  IpuParts(const Lowered& lowered, const TileSpace& space);

  /// The part of an IPU: all steps, each with what the IPU does in it. The next call replaces it.
  const Lowered& of(std::uint32_t ipu);

 private:
  [[nodiscard]] TileId onIpu(TileId tile) const {
    return TileId(tile.tile() % space_.tiles_per_ipu);
  }
  [[nodiscard]] Step partOf(const Step& step, std::uint32_t ipu) const;
  [[nodiscard]] RowCopy rowCopyOf(const RowCopy& row, std::uint32_t ipu) const;
  [[nodiscard]] Messages messagesOf(const Messages& messages, std::uint32_t ipu) const;
  [[nodiscard]] Bytes hostBytesOf(const HostCopy& copy, std::uint32_t ipu) const;

  const Lowered& lowered_;
  TileSpace space_;
  Lowered part_;
};

}  // namespace ipusim::compiler
