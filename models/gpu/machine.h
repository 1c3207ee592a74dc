// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/config/words.h"
#include "ipusim/units.h"

namespace ipusim::gpu {

/// How a constant is known.
enum class Provenance : std::uint8_t {
  Spec,      ///< from a data sheet, or computed from one
  Transfer,  ///< measured on another chip of the same design
  Fitted,    ///< chosen so that the model meets a published measurement of this chip
  Assumed,   ///< plausible, but compared with nothing
};
constexpr Words<Provenance, 4> kProvenanceWords{{{Provenance::Spec, "spec"},
                                                 {Provenance::Transfer, "transfer"},
                                                 {Provenance::Fitted, "fitted"},
                                                 {Provenance::Assumed, "assumed"}}};

/// A number of a preset as it was read. A comparison prints it.
struct Constant {
  std::string key;
  double value;
  Provenance kind;
  std::string source;
  double standard_error = 0;  ///< in the unit of the value; 0 when unknown
  std::vector<std::pair<std::string, double>> correlations =
      {};  ///< with other fitted constants, by key
};

/// Sizes and rates of memories, and the shares that kernels reach.
struct MemorySystem {
  Bytes dram;
  double dram_usable_share;
  double dram_bytes_per_second;  ///< from the data sheet
  double dram_efficiency;
  Bytes l2;
  double l2_bytes_per_cycle;  ///< rate that one multiprocessor streams
  double l2_resident_share;
  double l2_elementwise_share;
};

/// Seconds that no rate accounts for.
struct LaunchCosts {
  double kernel_seconds;
  double split_k_seconds;
  double graph_kernel_seconds;  ///< host time per kernel of a captured graph
};

/// The efficiency e of a tile of a library product: 1/e = base + slope (1/rows + 1/columns).
struct TileEfficiency {
  double base;
  double slope;
  double k_offset;  ///< how many steps of k the fill and the epilogue are worth
};

/// Cycles that the load pipe of a multiprocessor takes for the 32 lanes of a warp.
struct LoadPipe {
  double global_load_cycles;  ///< for a load that hits L1
  double shared_access_cycles;
};

/// An eager framework. A ratio is the host time of a call over that of a linear layer.
struct Framework {
  double efficiency;  ///< efficiency of a product, relative to the library called directly
  double linear_host_seconds;
  double elementwise_host_ratio;
  double batched_host_ratio;
  double butterfly_stage_host_ratio;
  double pixelfly_host_ratio;
  /// A step of a small network with a dense layer, data included.
  double training_step_host_seconds;
  double training_operation_ratio;  ///< share of that for each further device operation
};

/// One GPU. Immutable; read from a preset in which every number names its kind and its source.
struct Machine {
  std::string name;
  std::uint32_t sms;  ///< number of multiprocessors
  double clock_hz;
  double fp32_flops_per_cycle;  ///< rate of one multiprocessor
  double tf32_flops_per_cycle;  ///< rate of one multiprocessor's tensor cores, dense
  double half_flops_per_cycle;  ///< rate of one multiprocessor's tensor cores, dense FP16
  std::uint32_t threads_per_block;
  Bytes shared_per_block;

  MemorySystem memory;
  LaunchCosts launch;
  TileEfficiency fp32;
  double fp32_sliced_k_offset;  ///< k offset of tiles whose k is cut between warps
  /// Efficiency of a grid with no more blocks than multiprocessors.
  double fp32_one_wave_efficiency;
  TileEfficiency tf32;
  double tf32_two_word_factor;  ///< how much longer a product on tensor cores takes when its
                                ///< operands allow 64-bit loads only
  double tf32_one_word_factor;  ///< how much longer when they allow 32-bit loads at most
  TileEfficiency half;
  LoadPipe pipe;
  double csr_gather_efficiency;
  Framework framework;

  /// All of the numbers above, in the order of the preset's fields.
  std::vector<Constant> constants;

  [[nodiscard]] double cyclesPerSecond() const { return sms * clock_hz; }
  [[nodiscard]] double fp32Peak() const { return cyclesPerSecond() * fp32_flops_per_cycle; }
  [[nodiscard]] double tf32Peak() const { return cyclesPerSecond() * tf32_flops_per_cycle; }
  [[nodiscard]] double halfPeak() const { return cyclesPerSecond() * half_flops_per_cycle; }
  /// Bytes per second that kernels sustain.
  [[nodiscard]] double dramRate() const {
    return memory.dram_bytes_per_second * memory.dram_efficiency;
  }
  [[nodiscard]] double l2Rate() const { return cyclesPerSecond() * memory.l2_bytes_per_cycle; }
};

/// The GPU that `config` names at `key`: a preset of configs/gpus by name, a file by path, or a
/// table `{base = "a30", sms = 28}` whose other keys replace numbers of the base. Throws
/// ConfigError for missing, unknown, repeated, ill-typed and out-of-range keys, for an unknown
/// kind, and for a base that leads back to itself.
Machine readMachine(const ConfigReader& config, std::string_view key = "gpu");
/// Reads a preset by a name or path that is in no config.
Machine readPreset(const std::string& name_or_path);
/// Reads a preset that has been parsed.
Machine readPreset(const ConfigReader& preset);

/// Names of the shipped presets, sorted.
std::vector<std::string> presetNames();

}  // namespace ipusim::gpu
