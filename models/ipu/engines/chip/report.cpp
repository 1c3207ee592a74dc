// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/chip/report.h"

#include <systemc>

namespace ipusim::models {

void reportError(const char* id, const std::string& what) {
  SC_REPORT_ERROR(id, what.c_str());
}

void reportTooLong() {
  reportError(kClockReport, "a run beyond the last cycle");
}

}  // namespace ipusim::models
