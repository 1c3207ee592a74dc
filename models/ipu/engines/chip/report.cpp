// SPDX-License-Identifier: Apache-2.0
#include "ipusim/chip/report.h"

#include <systemc>

namespace ipusim {

void reportError(const char* id, const std::string& what) {
  SC_REPORT_ERROR(id, what.c_str());
}

void reportTooLong() {
  reportError(kClockReport, "a run beyond the last cycle");
}

}  // namespace ipusim
