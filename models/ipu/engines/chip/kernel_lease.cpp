// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/chip/kernel_lease.h"

#include <string>

#include "ipusim/error.h"
#include "models/ipu/engines/chip/report.h"

namespace ipusim::models {

namespace {

bool isOurs(const sc_core::sc_report& report) {
  const std::string id = report.get_msg_type();
  return id.rfind("/ipusim/", 0) == 0;
}

/// Throws the chip's reports, which would otherwise be printed. The kernel's remarks are dropped:
/// it would print them between the lines of a result.
void throwOurs(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (isOurs(report)) throw report;
  if (report.get_severity() == sc_core::SC_INFO) return;
  sc_core::sc_report_handler::default_handler(report, actions);
}

}  // namespace

void rethrow(const sc_core::sc_report& report) {
  if (isOurs(report) && std::string(report.get_msg_type()) == kClockReport) throwCountError();
  throw InternalError(report.get_msg());
}

KernelLease::KernelLease() : handler_(sc_core::sc_report_handler::get_handler()) {
  sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
  sc_core::sc_report_handler::set_handler(throwOurs);
}

KernelLease::~KernelLease() {
  sc_core::sc_report_handler::set_handler(handler_);
  sc_core::sc_get_curr_simcontext()->reset();
}

}  // namespace ipusim::models
