// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace poplar {

/// Who meets at a sync: the tiles of an IPU, the IPUs of a replica, or all.
enum class SyncType { INTERNAL, EXTERNAL, GLOBAL };

}  // namespace poplar
