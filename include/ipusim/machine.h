// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/units.h"

namespace ipusim {

/// How long an exchange phase takes.
enum class ExchangeMode : std::uint8_t {
  Scheduled,  ///< a static schedule of the messages on the ports at both ends
  /// Each port through its own messages, whatever the other end does: a lower bound, for the closed
  /// form alone.
  Bound,
};

/// AMP engines a tile uses, by type of the inputs and of the partials.
struct ConvUnits {
  std::uint32_t half_half;
  std::uint32_t half_float;
  std::uint32_t float_float;

  friend bool operator==(const ConvUnits& a, const ConvUnits& b);
};

/// Where tiles sit, and how long a message or a sync waits for that.
struct Fabric {
  std::uint32_t tiles_per_column;  ///< logical tile numbers run down a column
  std::uint32_t tiles_per_row;     ///< neighbours that share a row of a column
  std::uint32_t tiles_per_bus;     ///< tiles that can receive the same stream at double rate
  BytesPerCycle exchange_rate;     ///< of one tile's send and of its receive port
  Cycles start_delay_longest;     ///< cycles from release to the first word, sender beside receiver
  Cycles start_delay_per_column;  ///< less for each column between the two
  Cycles start_delay_per_row;     ///< less for each row between the two
  Cycles start_delay_per_receiver_row;  ///< less for each row of the receiver
  std::uint32_t receive_control_words;  ///< words a message costs its receiver beside the payload
  Cycles sync_base;                     ///< request to release for a tile at the controller
  Cycles sync_per_row;                  ///< more each way for each row between tile and controller
  Cycles sync_per_column;               ///< more each way for each column between them

  friend bool operator==(const Fabric& a, const Fabric& b);
};

/// What hardware spends beside the published estimates. Zero in oracle tests.
struct Overheads {
  Cycles vertex_launch;      ///< the supervisor starts one worker vertex
  Cycles supervisor_call;    ///< the supervisor enters a supervisor vertex
  Cycles compute_set_entry;  ///< once for each compute set on a tile that has vertices in it

  friend bool operator==(const Overheads& a, const Overheads& b);
};

/// The way between the host and the chip.
struct HostRates {
  std::uint64_t link_bytes_per_second;
  Cycles fixed;                              ///< a transfer costs beside its bytes
  std::uint64_t framework_bytes_per_second;  ///< what a framework's copies add

  friend bool operator==(const HostRates& a, const HostRates& b);
};

/// Quality of the code that the vendor's compiler makes of a vertex written in C++: issue slots.
struct CompiledCode {
  std::uint64_t slots_per_1000_elements;  ///< of innermost loops, scalar
  std::uint64_t slots_per_loop;           ///< to enter and leave an innermost loop

  friend bool operator==(const CompiledCode& a, const CompiledCode& b);
};

/// Bytes of code and tables that no variable accounts for.
struct CodeSizes {
  Bytes stack;                 ///< worker and supervisor stacks of a tile
  Bytes control_program;       ///< control code a tile has whatever the program
  Bytes control_per_step;      ///< control code for each step a tile takes part in
  Bytes exchange_entry;        ///< exchange code for one exchange, sync and return
  Bytes exchange_per_send;     ///< for one message sent, up to the span of one instruction
  Bytes exchange_per_receive;  ///< for one message received
  Bytes host_exchange;         ///< host exchange code of a tile in a program that has any

  friend bool operator==(const CodeSizes& a, const CodeSizes& b);
};

/// A constant that a calibration wrote, and how well it is known.
struct FittedConstant {
  std::string key;
  double value;
  double standard_error;
};

/// The processor of a tile: its workers, the widths and rates of its units, and what starting code
/// on it costs.
struct TileCore {
  std::uint32_t workers_per_tile;
  BytesPerCycle memcpy_rate;
  Bytes data_path;     ///< width of one load or store
  Bytes atomic_store;  ///< smallest store that needs no read before it
  ConvUnits conv_units;
  std::uint32_t conv_pipeline_depth;
  BytesPerCycle weight_load_rate;
  Overheads overheads;
  CompiledCode compiled;

  /// Elements of `type` one load moves: float 2, half 4 on every generation so far.
  [[nodiscard]] std::uint32_t vectorWidth(ElementType type) const {
    return static_cast<std::uint32_t>(data_path.value() / sizeOf(type).value());
  }

  friend bool operator==(const TileCore& a, const TileCore& b);
};

/// The memory of a tile.
struct TileSram {
  Bytes sram_per_tile;
  Bytes code_region;          ///< the low, non-interleaved part: the only one that holds code
  Bytes memory_element;       ///< two accesses in a cycle need two elements
  Bytes interleaved_element;  ///< the same in the interleaved part

  friend bool operator==(const TileSram& a, const TileSram& b);
};

/// The tiles and the exchange fabric between them.
struct Interconnect {
  std::uint32_t tiles;
  Fabric fabric;

  /// Column of a tile, and row inside the column, counted from 0.
  [[nodiscard]] std::uint32_t columnOf(std::uint32_t tile) const {
    return tile / fabric.tiles_per_column;
  }
  [[nodiscard]] std::uint32_t rowOf(std::uint32_t tile) const {
    return tile % fabric.tiles_per_column / fabric.tiles_per_row;
  }

  friend bool operator==(const Interconnect& a, const Interconnect& b);
};

/// All that operations are planned by, and that vertices and exchanges cost by. It counts in cycles
/// and bytes, and knows no seconds.
struct Architecture : TileCore, TileSram, Interconnect {
  [[nodiscard]] Bytes totalSram() const { return sram_per_tile * tiles; }
  /// Floating-point operations per cycle of all AMP engines together, a multiply-add as two. Inputs
  /// half or float, partials the same or float.
  [[nodiscard]] double peakFlopsPerCycle(ElementType inputs, ElementType partials) const;

  friend bool operator==(const Architecture& a, const Architecture& b);
};

/// What times are taken by beside the architecture: the clock, the counter that measures a tile,
/// and the host.
struct Platform {
  double clock_hz;
  Cycles cycle_counter;  ///< what reading the tile's counter adds to what is between two reads
  HostRates host;

  friend bool operator==(const Platform& a, const Platform& b);
};

/// One IPU, immutable. Read from a preset whose every number names its source.
struct Machine : Architecture, Platform {
  std::string name;
  CodeSizes code;
  ExchangeMode exchange;
  std::vector<FittedConstant> fitted;  ///< those of the numbers above that name a standard error
};

/// A preset by name or path, as it stands. Throws ConfigError, which says what was wanted and where
/// it was sought.
Machine readPreset(const std::string& name_or_path);

/// Names of the shipped presets, sorted.
std::vector<std::string> presetNames();

}  // namespace ipusim
