// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/units.h"

namespace ipusim {

/// How data gets from the program's memory on the host to the link.
enum class HostPath : std::uint8_t {
  Link,       ///< the data is there already
  Framework,  ///< a framework first copies the data, at a rate of its own
};

/// How long an exchange phase takes.
enum class ExchangeMode : std::uint8_t {
  Scheduled,  ///< a static schedule of the messages on the ports at both ends
  /// A lower bound, for the closed form alone: each port takes as long as its own messages,
  /// whatever the other end does.
  Bound,
};

/// The silicon of a chip, on which its energy and its area depend.
enum class Silicon : std::uint8_t {
  Unknown,  ///< neither is modelled
  Gc200,    ///< TSMC N7
  Bow,      ///< the die of the GC200 on a wafer of capacitors, at another voltage
  Gc2,      ///< TSMC 16 nm
};

/// AMP engines that a tile uses, by the types of the inputs and of the partials.
struct ConvUnits {
  std::uint32_t half_half;
  std::uint32_t half_float;
  std::uint32_t float_float;

  friend bool operator==(const ConvUnits& a, const ConvUnits& b);
};

/// Where tiles sit, and how long messages and syncs take because of it.
struct Fabric {
  std::uint32_t tiles_per_column;  ///< logical tile numbers run down a column
  std::uint32_t tiles_per_row;     ///< neighbours in a column that share a row
  std::uint32_t tiles_per_bus;     ///< tiles that can receive the same stream at double rate
  BytesPerCycle exchange_rate;     ///< rate of one tile's send port and of its receive port
  Cycles start_delay_longest;     ///< cycles from the release to the first word, when the sender is
                                  ///< beside the receiver
  Cycles start_delay_per_column;  ///< saved for each column between sender and receiver
  Cycles start_delay_per_row;     ///< saved for each row between sender and receiver
  Cycles start_delay_per_receiver_row;  ///< saved for each row of the receiver
  /// Control instructions of a receiver for each consecutive piece, one per cycle beside the words.
  std::uint32_t receive_control_words;
  Cycles sync_base;        ///< from request to release, for a tile at the controller
  Cycles sync_per_row;     ///< added each way for each row between tile and controller
  Cycles sync_per_column;  ///< added each way for each column between tile and controller

  friend bool operator==(const Fabric& a, const Fabric& b);
};

/// Cycles that hardware spends besides the published estimates. They are zero in oracle tests.
struct Overheads {
  Cycles vertex_launch;      ///< the supervisor starts one worker vertex
  Cycles supervisor_call;    ///< the supervisor enters a supervisor vertex
  Cycles compute_set_entry;  ///< once for each compute set on a tile that has vertices in it

  friend bool operator==(const Overheads& a, const Overheads& b);
};

/// The way between the host and the chip.
struct HostRates {
  std::uint64_t link_bytes_per_second;
  Cycles fixed;                              ///< what a transfer costs besides its bytes
  std::uint64_t framework_bytes_per_second;  ///< rate of the copies that a framework adds

  friend bool operator==(const HostRates& a, const HostRates& b);
};

/// Quality of the code that the vendor's compiler makes of a vertex written in C++, in issue slots.
struct CompiledCode {
  std::uint64_t slots_per_1000_elements;  ///< per 1000 scalar elements of innermost loops
  std::uint64_t slots_per_loop;           ///< to enter and leave an innermost loop

  friend bool operator==(const CompiledCode& a, const CompiledCode& b);
};

/// Bytes of code and tables that belong to no variable.
struct CodeSizes {
  Bytes stack;             ///< worker and supervisor stacks of a tile
  Bytes control_program;   ///< control code that a tile has in any program
  Bytes control_per_step;  ///< control code for each step that a tile takes part in
  Bytes exchange_entry;    ///< exchange code for one exchange: sync and return
  /// Exchange code for one sent message, up to the span of one instruction.
  Bytes exchange_per_send;
  Bytes exchange_per_receive;  ///< exchange code for one received message
  Bytes host_exchange;         ///< host exchange code of a tile, in a program with host exchanges

  friend bool operator==(const CodeSizes& a, const CodeSizes& b);
};

/// A constant that a calibration wrote, with its standard error.
struct FittedConstant {
  std::string key;
  double value;
  double standard_error;
};

/// The processor of a tile: its workers, the widths and rates of its units, and the cycles that
/// starting code takes.
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

  /// Elements of `type` that one load moves: 2 for float, 4 for half on every generation so far.
  [[nodiscard]] std::uint32_t vectorWidth(ElementType type) const {
    return static_cast<std::uint32_t>(data_path.value() / sizeOf(type).value());
  }

  friend bool operator==(const TileCore& a, const TileCore& b);
};

/// The memory of a tile.
struct TileSram {
  Bytes sram_per_tile;
  Bytes code_region;          ///< the low, non-interleaved part of memory: code must be in it
  Bytes memory_element;       ///< size of a memory element: two accesses in a cycle need two
  Bytes interleaved_element;  ///< the size of a memory element in the interleaved part

  friend bool operator==(const TileSram& a, const TileSram& b);
};

/// The tiles and the exchange fabric between them.
struct Interconnect {
  std::uint32_t tiles;
  Fabric fabric;

  /// Column of a tile, and its row inside the column, both counted from 0.
  [[nodiscard]] std::uint32_t columnOf(std::uint32_t tile) const {
    return tile / fabric.tiles_per_column;
  }
  [[nodiscard]] std::uint32_t rowOf(std::uint32_t tile) const {
    return tile % fabric.tiles_per_column / fabric.tiles_per_row;
  }

  friend bool operator==(const Interconnect& a, const Interconnect& b);
};

/// All that planning an operation needs, and all that the costs of vertices and exchanges depend
/// on. Its quantities are cycles and bytes; no seconds.
struct Architecture : TileCore, TileSram, Interconnect {
  [[nodiscard]] Bytes totalSram() const { return sram_per_tile * tiles; }
  /// Floating-point operations per cycle of all AMP engines together. A multiply-add counts as two.
  /// `inputs` are half or float; `partials` are of the same type or float.
  [[nodiscard]] double peakFlopsPerCycle(ElementType inputs, ElementType partials) const;

  friend bool operator==(const Architecture& a, const Architecture& b);
};

/// What turns cycles into reported times: the clock, the counter that measures a tile, and the
/// host.
struct Platform {
  double clock_hz;
  Cycles cycle_counter;  ///< what reading the tile's counter adds between two reads
  HostRates host;

  friend bool operator==(const Platform& a, const Platform& b);
};

/// The memory beside the chips of a machine, which its IPUs share, and the way there. Data travel
/// in packets, through exchange contexts that the tiles share.
struct StreamingMemory {
  std::uint32_t ipus = 0;  ///< IPUs that share it; 0: there is none
  std::uint64_t bytes = 0;
  std::uint64_t bytes_per_second = 0;      ///< reads and writes of all IPUs together
  std::uint64_t ipu_bytes_per_second = 0;  ///< of one IPU
  std::uint32_t contexts = 0;              ///< exchange contexts of an IPU
  Bytes packet_payload;
  Bytes packet_header;
  double sync_hop_seconds = 0;  ///< the external sync, per hop and way

  friend bool operator==(const StreamingMemory& a, const StreamingMemory& b);
};

/// One IPU. Immutable; read from a preset in which every number names its source.
struct Machine : Architecture, Platform {
  std::string name;
  CodeSizes code;
  ExchangeMode exchange;
  Silicon silicon = Silicon::Unknown;
  StreamingMemory streaming;           ///< set for an IPU of a system that has such a memory
  std::vector<FittedConstant> fitted;  ///< the constants above that come with a standard error
};

/// Reads a preset by name or path. Throws ConfigError, which says what was wanted and which places
/// were searched.
Machine readPreset(const std::string& name_or_path);

/// Reads one IPU of a system such as "m2000", by name or path. The IPU has the rate of
/// its machine's streaming memory for itself, and its own part of the bytes. Throws ConfigError.
Machine readIpuOf(const std::string& system);

/// Names of the shipped presets, sorted.
std::vector<std::string> presetNames();

}  // namespace ipusim
