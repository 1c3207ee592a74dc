// SPDX-License-Identifier: Apache-2.0
#include "ipusim/chip/simulate_chip.h"

#include <string>
#include <systemc>

#include "ipusim/chip.h"
#include "ipusim/chip/report.h"
#include "ipusim/error.h"

namespace ipusim {

namespace {

bool isOurs(const sc_core::sc_report& report) {
  const std::string id = report.get_msg_type();
  return id.rfind("/ipusim/", 0) == 0;
}

/// Throws the chip's reports, which would otherwise be printed.
void throwOurs(const sc_core::sc_report& report, const sc_core::sc_actions& actions) {
  if (isOurs(report)) throw report;
  sc_core::sc_report_handler::default_handler(report, actions);
}

/// Turns a report into an exception of this project. An exception that leaves a SystemC process
/// reaches the caller of sc_start as an sc_report, so only this place can do it.
[[noreturn]] void rethrow(const sc_core::sc_report& report) {
  if (isOurs(report) && std::string(report.get_msg_type()) == kClockReport) throwCountError();
  throw InternalError(report.get_msg());
}

/// A kernel for one simulation. SystemC elaborates once per kernel and has one kernel per process.
/// To simulate twice, as a sweep or a test does, the kernel must be made anew. `reset` is not in
/// IEEE 1666, but in its reference implementation. The lease must outlive all modules.
class KernelLease {
 public:
  KernelLease() : handler_(sc_core::sc_report_handler::get_handler()) {
    sc_core::sc_set_time_resolution(1, sc_core::SC_FS);
    sc_core::sc_report_handler::set_handler(throwOurs);
  }
  KernelLease(const KernelLease&) = delete;
  KernelLease& operator=(const KernelLease&) = delete;
  ~KernelLease() {
    sc_core::sc_report_handler::set_handler(handler_);
    sc_core::sc_get_curr_simcontext()->reset();
  }

 private:
  sc_core::sc_report_handler_proc handler_;
};

}  // namespace

ChipResult simulateChip(const ChipPrograms& programs, Observer* observer) {
  verify(programs);  // here and not in the chip: no exception need pass the kernel for it
  const KernelLease lease;
  try {
    ChipOptions options;
    options.observer = observer;
    options.verified = true;
    Chip chip("chip", programs, options);
    sc_core::sc_start();
    return chip.takeResult();
  } catch (const sc_core::sc_report& report) {
    rethrow(report);
  }
}

}  // namespace ipusim
