// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <systemc>

namespace ipusim::models {

/// A kernel for one simulation. SystemC elaborates once per kernel and has one kernel per process.
/// To simulate twice, as a sweep or a test does, the kernel must be made anew. `reset` is not in
/// IEEE 1666, but in its reference implementation. The lease must outlive all modules.
class KernelLease {
 public:
  KernelLease();
  KernelLease(const KernelLease&) = delete;
  KernelLease& operator=(const KernelLease&) = delete;
  ~KernelLease();

 private:
  sc_core::sc_report_handler_proc handler_;
};

/// Turns a report of a simulation under a lease into an exception of this project. An exception
/// that leaves a SystemC process reaches the caller of sc_start as an sc_report, so only that
/// caller can do it.
[[noreturn]] void rethrow(const sc_core::sc_report& report);

}  // namespace ipusim::models
