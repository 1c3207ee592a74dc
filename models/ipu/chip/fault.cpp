// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/chip/fault.h"

#include <systemc>

#include "base/error.h"

namespace ipusim::models {

// sc_pause and not sc_stop, which would print.
void Fault::raise(const std::string& what) {
  if (what_.empty()) what_ = what;
  sc_core::sc_pause();
}

void Fault::raiseTooLong() {
  too_long_ = true;
  sc_core::sc_pause();
}

void Fault::rethrow() const {
  check(what_.empty(), what_);
  if (too_long_) throwCountError();
}

}  // namespace ipusim::models
