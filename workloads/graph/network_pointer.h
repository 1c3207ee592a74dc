// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

namespace ipusim::workloads {

class TrainedNetwork;

/// A network that is trained, and that may be cut into stages (workloads/networks/cuts/stage.h).
using TrainedNetworkPointer = std::shared_ptr<const TrainedNetwork>;

}  // namespace ipusim::workloads
