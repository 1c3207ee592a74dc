// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace poplar {

/// Which replicas a stream feeds. There is one replica here, so both mean the same.
enum class ReplicatedStreamMode { REPLICATE, BROADCAST };

}  // namespace poplar
