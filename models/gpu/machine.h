// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/words.h"
#include "ipusim/units.h"

namespace ipusim::gpu {

/// How a constant is known.
enum class Provenance : std::uint8_t {
  Spec,      ///< a data sheet, or arithmetic on one
  Transfer,  ///< measured on another chip of the same design
  Fitted,    ///< chosen so that the model meets a published measurement of this chip
  Assumed,   ///< plausible, checked against nothing
};
constexpr Words<Provenance, 4> kProvenanceWords{{{Provenance::Spec, "spec"},
                                                 {Provenance::Transfer, "transfer"},
                                                 {Provenance::Fitted, "fitted"},
                                                 {Provenance::Assumed, "assumed"}}};

/// A number of a preset as it was read, to be printed beside a comparison.
struct Constant {
  std::string key;
  double value;
  Provenance kind;
  std::string source;
  double standard_error = 0;  ///< in the unit of the value; 0: none is known
  std::vector<std::pair<std::string, double>> correlations =
      {};  ///< with other fitted ones, by key
};

/// Sizes, rates and how much of them kernels reach.
struct MemorySystem {
  Bytes dram;
  double dram_usable_share;
  double dram_bytes_per_second;  ///< of the data sheet
  double dram_efficiency;
  Bytes l2;
  double l2_bytes_per_cycle;  ///< that one multiprocessor streams
  double l2_resident_share;
  double l2_elementwise_share;
};

/// Seconds that no rate accounts for.
struct LaunchCosts {
  double kernel_seconds;
  double split_k_seconds;
  double graph_kernel_seconds;  ///< host time a kernel of a captured graph
};

/// How efficient a tile of a library product is: 1/e = base + slope (1/rows + 1/columns).
struct TileLaw {
  double base;
  double slope;
  double k_offset;  ///< steps of k that fill and epilogue are worth
};

/// What the load pipe of a multiprocessor takes for the 32 lanes of a warp.
struct LoadPipe {
  double global_load_cycles;  ///< that hits L1
  double shared_access_cycles;
};

/// An eager framework. Ratios are host time over that of a linear layer.
struct Framework {
  double efficiency;  ///< of a product, against the library called directly
  double linear_host_seconds;
  double elementwise_host_ratio;
  double batched_host_ratio;
  double butterfly_stage_host_ratio;
  double pixelfly_host_ratio;
  double training_step_host_seconds;  ///< of a small network whose layer is dense, data included
  double training_operation_ratio;    ///< of that, for each device operation more
};

/// One GPU, immutable. Read from a preset whose every number names its kind and its source.
struct Machine {
  std::string name;
  std::uint32_t sms;  ///< multiprocessors
  double clock_hz;
  double fp32_flops_per_cycle;  ///< of one multiprocessor
  double tf32_flops_per_cycle;  ///< the same, dense tensor cores
  std::uint32_t threads_per_block;
  Bytes shared_per_block;

  MemorySystem memory;
  LaunchCosts launch;
  TileLaw fp32;
  double fp32_sliced_k_offset;      ///< k offset of tiles whose k is cut between warps
  double fp32_one_wave_efficiency;  ///< of a grid with no more blocks than multiprocessors
  TileLaw tf32;
  double tf32_two_word_factor;  ///< longer when operands allow 64-bit loads only
  double tf32_one_word_factor;  ///< or 32-bit ones
  LoadPipe pipe;
  double csr_gather_efficiency;
  Framework framework;

  std::vector<Constant> constants;  ///< all of the above, in the order of the preset's fields

  [[nodiscard]] double cyclesPerSecond() const { return sms * clock_hz; }
  [[nodiscard]] double fp32Peak() const { return cyclesPerSecond() * fp32_flops_per_cycle; }
  [[nodiscard]] double tf32Peak() const { return cyclesPerSecond() * tf32_flops_per_cycle; }
  /// Bytes a second that kernels sustain.
  [[nodiscard]] double dramRate() const {
    return memory.dram_bytes_per_second * memory.dram_efficiency;
  }
  [[nodiscard]] double l2Rate() const { return cyclesPerSecond() * memory.l2_bytes_per_cycle; }
};

/// The GPU that `config` names at `key`: a preset of configs/gpus by name, a file by path, or a
/// table
/// `{base = "a30", sms = 28}` whose other keys are plain numbers in place of those of the base.
/// ConfigErrors as for every config: missing, unknown, repeated, ill-typed and out-of-range keys, a
/// kind that is none, a base that leads back.
Machine readMachine(const ConfigReader& config, std::string_view key = "gpu");
/// The same for a name or a path from elsewhere.
Machine readPreset(const std::string& name_or_path);
/// A preset that is open already.
Machine readPreset(const ConfigReader& preset);

/// Names of the shipped presets, sorted.
std::vector<std::string> presetNames();

}  // namespace ipusim::gpu
