// SPDX-License-Identifier: Apache-2.0
#include "ipusim/chip/simulate_chip.h"

#include <systemc>

#include "ipusim/chip.h"
#include "models/ipu/chip/kernel_lease.h"

namespace ipusim {

ChipResult simulateChip(const ChipPrograms& programs, Observer* observer) {
  verify(programs);  // here and not in the chip: no exception need pass the kernel for it
  check(!programs.in_pod, "a chip on its own has no other chips to exchange with");
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
