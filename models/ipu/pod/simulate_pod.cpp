// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/pod/simulate_pod.h"

#include <string>
#include <systemc>

#include "ipusim/chip.h"
#include "models/ipu/chip/kernel_lease.h"
#include "models/ipu/pod/pod_network.h"

namespace ipusim {

PodResult simulatePod(const PodPrograms& pod) {
  verify(pod);
  const KernelLease lease;
  try {
    PodNetwork network("pod", pod);
    ChipOptions options;
    options.verified = true;
    sc_core::sc_vector<Chip> chips("chip");
    chips.init(pod.chips.size(), [&](const char* name, std::size_t index) {
      return new Chip(name, pod.chips[index], options);
    });
    for (std::size_t chip = 0; chip < network.sockets.size(); ++chip) {
      chips[chip].pod.socket.bind(network.sockets[chip]);
    }
    sc_core::sc_start();
    PodResult result;
    for (Chip& chip : chips) result.chips.push_back(chip.takeResult());
    result.links = network.links();
    return result;
  } catch (const sc_core::sc_report& report) {
    rethrow(report);
  }
}

}  // namespace ipusim
