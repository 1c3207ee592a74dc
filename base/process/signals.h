// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ipusim {

/// Blocks all signals to this thread, so that other threads handle them.
void leaveSignalsToOthers();

}  // namespace ipusim
