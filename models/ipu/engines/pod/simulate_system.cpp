// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/pod/simulate_system.h"

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "ipusim/chip.h"
#include "models/ipu/engines/chip/kernel_lease.h"
#include "models/ipu/engines/chip/modelled_streaming.h"
#include "models/ipu/engines/chip/report.h"
#include "models/ipu/engines/pod/pod_network.h"

namespace ipusim::models {

namespace {

/// The streaming memories that the chips use, bound to them; null where there are no transfers.
std::unique_ptr<ModelledStreaming> streamingOf(const SystemPrograms& pod,
                                               sc_core::sc_vector<Chip>& chips) {
  if (pod.chips.front().remote_transfers.empty()) return nullptr;
  std::vector<const ChipPrograms*> programs;
  for (const ChipPrograms& chip : pod.chips) programs.push_back(&chip);
  auto memories = std::make_unique<ModelledStreaming>("streaming", programs, pod.chip_of_ipu);
  for (std::size_t chip = 0; chip < chips.size(); ++chip) {
    chips[chip].bindStreaming(memories->sockets[chip]);
  }
  return memories;
}

/// Simulates the only chip, which meets no others.
ChipResult simulateOnly(const ChipPrograms& programs, Observer* observer, const WaveFile* waves) {
  return waves != nullptr ? simulateChip(programs, observer, *waves)
                          : simulateChip(programs, observer);
}

}  // namespace

MeasuredSystem simulateSystem(const SystemPrograms& pod, Observer* observer,
                              const WaveFile* waves) {
  if (pod.ipus() == 1 && !pod.only().in_pod)
    return {{simulateOnly(pod.only(), observer, waves)}, {}};
  verify(pod);
  const KernelLease lease;
  try {
    PodNetwork network("pod", pod);
    ChipOptions options;
    options.verified = true;
    options.foreign_streaming = true;
    sc_core::sc_vector<Chip> chips("chip");
    chips.init(pod.chips.size(), [&](const char* name, std::size_t index) {
      return new Chip(name, pod.chips[index], options);
    });
    for (std::size_t chip = 0; chip < network.sockets.size(); ++chip) {
      chips[chip].bindPod(network.sockets[chip]);
    }
    const std::unique_ptr<ModelledStreaming> memories = streamingOf(pod, chips);
    sc_core::sc_start();
    MeasuredSystem result;
    for (Chip& chip : chips) result.chips.push_back(chip.takeResult());
    result.links = network.links();
    return result;
  } catch (const sc_core::sc_report& report) {
    rethrow(report);
  }
}

}  // namespace ipusim::models
