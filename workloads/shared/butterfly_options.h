// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/base/config_reader.h"
#include "workloads/ops/butterfly.h"

namespace ipusim::workloads {

/// The keys `features`, a power of two, `twiddles` ("tied" or "untied") and `order` ("increasing"
/// or "decreasing").
ButterflyShape readButterflyShape(const ConfigReader& config);

}  // namespace ipusim::workloads
