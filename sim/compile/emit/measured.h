// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "models/ipu/machine/execution_record.h"
#include "sim/compile/executable.h"

namespace ipusim::compiler {

/// Gives the steps of `lowered` the times that were measured. Throws RecordError for a step that is
/// not there, that is there twice or that takes no time of its own, and for tiles that are not
/// those that take part in the step. `tiles` are those of the machine.
void setMeasured(const std::vector<MeasuredStep>& measured, std::uint32_t tiles, Lowered& lowered);

}  // namespace ipusim::compiler
