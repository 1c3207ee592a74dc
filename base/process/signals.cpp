// SPDX-License-Identifier: Apache-2.0
#include "base/process/signals.h"

#include <csignal>

namespace ipusim {

void leaveSignalsToOthers() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, nullptr);
}

}  // namespace ipusim
