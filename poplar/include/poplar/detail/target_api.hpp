// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

#include "poplar/TargetType.hpp"
#include "poplar/detail/handle.hpp"

namespace poplar {
namespace detail {

constexpr std::size_t kPresetName = 64;

/// What a program may ask of a machine. Sizes in bytes, the clock in Hz.
struct TargetData {
  TargetType type;
  unsigned ipus;
  unsigned tiles_per_ipu;
  unsigned workers;
  unsigned bytes_per_tile;
  unsigned exchange_bytes_per_cycle;
  double clock_hz;
  char preset[kPresetName];  ///< name of the machine that it was read from
  char architecture[8];      ///< "ipu1", "ipu2" or "ipu21"
};

/// `ipus` IPUs of the machine that the environment variable IPUSIM_POPLAR_TARGET names, gc200
/// without it. Throws invalid_machine_model for a machine that is not there.
TargetData hardwareTarget(unsigned ipus);
/// One IPU of "ipu1", "ipu2" or "ipu21".
TargetData modelTarget(Text version);

/// Round to nearest even, as the tile's binary16.
void toHalf(const float* from, void* to, std::size_t count);
void fromHalf(const void* from, float* to, std::size_t count);

}  // namespace detail
}  // namespace poplar
