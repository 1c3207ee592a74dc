// SPDX-License-Identifier: Apache-2.0
#include "ipusim/chip/simulate_chip.h"

#include <optional>
#include <systemc>

#include "ipusim/chip.h"
#include "models/ipu/chip/kernel_lease.h"

namespace ipusim {

namespace {

/// A trace file of SystemC, which is closed when it goes.
class Waves {
 public:
  /// SystemC puts the suffix behind the name itself.
  Waves(const WaveFile& file, const Chip& chip)
      : file_(sc_core::sc_create_vcd_trace_file(
            (file.path.parent_path() / file.path.stem()).c_str())) {
    file_->set_time_unit(1, sc_core::SC_FS);
    for (const std::uint32_t tile : file.tiles) chip.trace(file_, TileId(tile));
  }
  ~Waves() { sc_core::sc_close_vcd_trace_file(file_); }
  Waves(const Waves&) = delete;
  Waves& operator=(const Waves&) = delete;

 private:
  sc_core::sc_trace_file* file_;
};

ChipResult simulate(const ChipPrograms& programs, Observer* observer, const WaveFile* waves) {
  verify(programs);  // here and not in the chip: no exception need pass the kernel for it
  check(!programs.in_pod, "a chip on its own has no other chips to exchange with");
  const KernelLease lease;
  try {
    ChipOptions options;
    options.observer = observer;
    options.verified = true;
    options.signals = waves != nullptr;
    Chip chip("chip", programs, options);
    std::optional<Waves> written;
    if (waves != nullptr) written.emplace(*waves, chip);
    sc_core::sc_start();
    return chip.takeResult();
  } catch (const sc_core::sc_report& report) {
    rethrow(report);
  }
}

}  // namespace

ChipResult simulateChip(const ChipPrograms& programs, Observer* observer) {
  return simulate(programs, observer, nullptr);
}

ChipResult simulateChip(const ChipPrograms& programs, Observer* observer, const WaveFile& waves) {
  return simulate(programs, observer, &waves);
}

}  // namespace ipusim
