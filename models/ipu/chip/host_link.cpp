// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/chip/host_link.h"

namespace ipusim::models {

Cycles HostLink::transfer(Cycles release, Cycles cycles) {
  const bool goes_on = release == began_ && ends_ > began_;
  if (goes_on && ends_ != release + cycles) {
    fault_.raise("host link: tiles disagree about a transfer");
  } else if (!goes_on && release < ends_) {
    fault_.raise("host link: a transfer begins before the last has ended");
  }
  began_ = release;
  ends_ = release + cycles;
  return ends_;
}

}  // namespace ipusim::models
