// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/engines/chip/simulate_chip.h"

#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <systemc>

#include "base/files/scratch_folder.h"
#include "base/files/write_file.h"
#include "ipusim/chip.h"
#include "ipusim/error.h"
#include "ipusim/version.h"
#include "models/ipu/engines/chip/kernel_lease.h"
#include "models/ipu/engines/chip/wave_pipe.h"

namespace ipusim::models {

namespace {

/// A trace file of SystemC, whose text goes to a sink.
class Waves {
 public:
  Waves(const std::vector<std::uint32_t>& tiles, const Chip& chip, const Sink& sink) : pipe_(sink) {
    open();
    for (const std::uint32_t tile : tiles) chip.trace(file_, TileId(tile));
  }
  /// Leaves the file to itself where finish() was not called: SystemC's destructor divides by a
  /// unit that is 0 until the first cycle.
  ~Waves() = default;
  Waves(const Waves&) = delete;
  Waves& operator=(const Waves&) = delete;

  void finish() {
    sc_core::sc_close_vcd_trace_file(file_);
    pipe_.finish();
  }

 private:
  /// SystemC takes a name, and puts the suffix behind it itself. A comment makes it open the file
  /// at once, so that the name may go.
  void open() {
    const ScratchFolder folder("ipusim-waves");
    std::error_code error;
    std::filesystem::create_symlink(fmt::format("/proc/self/fd/{}", pipe_.writer()),
                                    folder.file("waves.vcd"), error);
    if (error) {
      throw ConfigError(fmt::format("{}: wanted to make a link, found: {}",
                                    folder.file("waves.vcd"), error.message()));
    }
    file_ = sc_core::sc_create_vcd_trace_file(folder.file("waves").c_str());
    file_->set_time_unit(1, sc_core::SC_FS);
    sc_core::sc_write_comment(file_, fmt::format("ipusim {}", libraryVersion()));
  }

  WavePipe pipe_;
  sc_core::sc_trace_file* file_ = nullptr;
};

/// `make_waves` may return none.
template <typename MakeWaves>
ChipResult simulate(const ChipPrograms& programs, const ChipOptions& options,
                    const MakeWaves& make_waves) {
  verify(programs);  // here and not in the chip: no exception need pass the kernel for it
  check(!programs.in_pod, "a chip on its own has no other chips to exchange with");
  const KernelLease lease;
  try {
    Chip chip("chip", programs, options);
    const std::unique_ptr<Waves> waves = make_waves(chip);
    sc_core::sc_start();
    if (waves) waves->finish();
    return chip.takeResult();
  } catch (const sc_core::sc_report& report) {
    rethrow(report);
  }
}

ChipOptions optionsWith(Observer* observer) {
  ChipOptions options;
  options.observer = observer;
  options.verified = true;
  return options;
}

}  // namespace

ChipResult simulateChip(const ChipPrograms& programs, Observer* observer) {
  return simulate(programs, optionsWith(observer),
                  [](const Chip& /*chip*/) { return std::unique_ptr<Waves>(); });
}

ChipResult simulateChip(const ChipPrograms& programs, Observer* observer, const WaveFile& waves) {
  ChipOptions options = optionsWith(observer);
  options.signals = true;
  std::optional<ChipResult> result;
  writeFile(waves.path, [&](const Sink& sink) {
    result = simulate(programs, options, [&](const Chip& chip) {
      return std::make_unique<Waves>(waves.tiles, chip, sink);
    });
  });
  return *std::move(result);
}

}  // namespace ipusim::models
