// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ipusim/machine.h"
#include "ipusim/units.h"

namespace ipusim::models {

/// The cycles, of a chip with that clock, that a transfer of `bytes` between host and chip takes:
///
///   fixed + ceil(bytes * clock / link rate) [+ ceil(bytes * clock / framework rate)]
///
/// Source: graphcore/ipu_tensorflow_addons ships the rate and the fixed cost of the link in
/// auto_pipeline_readme.md. The framework's rate is fitted; see the machine's preset.
/// Valid for: large transfers over one link; nothing overlaps.
Cycles hostTransferCycles(const Platform& platform, Bytes bytes, HostPath path);

}  // namespace ipusim::models
