// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "workloads/sources/workload.h"

namespace ipusim::workloads {

/// kind = "conv": one convolution as the vendor's library plans it, in one of the passes of a
/// layer. Keys:
///
///   in_channels, out_channels, groups, batch, field, kernel, stride, padding, padding_upper (as
///   padding), dilation
///             of the forward convolution; lists have one entry per field dimension
///   pass      "inference", "forward", "backward" (the gradient of the input) or "weight_update"
///   operands  "planned" (laid out where the plan wants them, if it takes them as they are) or
///             "linear" (spread evenly, and rearranged first)
///   sweeps    how often the convolution is done; each result is copied back to the input
///   type, partials_type, method, weight_load_bits, available_memory_proportion
///             as the planner's options
BuiltWorkload buildConv(const ConfigReader& config, const Architecture& machine);

}  // namespace ipusim::workloads
