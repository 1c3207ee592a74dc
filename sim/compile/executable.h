// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ipusim/activity.h"
#include "ipusim/graph.h"
#include "ipusim/machine.h"
#include "ipusim/memory_use.h"
#include "ipusim/step_kind.h"
#include "ipusim/tile_program.h"
#include "models/ipu/cost/exchange/host.h"
#include "models/ipu/machine/execution_record.h"
#include "models/ipu/program/system_program.h"
#include "sim/compile/lower/bound_fields.h"
#include "sim/compile/lower/control.h"
#include "sim/compile/lower/messages.h"

// What the compiler makes of a graph, as plain data. All bytes and addresses are in tile memory.

namespace ipusim::compiler {

constexpr VariableId kNoVariable{~std::uint32_t{0}};

/// When a block holds a value: positions of steps, both ends included.
struct LiveRange {
  std::uint32_t first;
  std::uint32_t last;

  [[nodiscard]] bool holds(std::uint32_t position) const {
    return first <= position && position <= last;
  }
};
/// Ranges that follow one another. There is more than one where a block is filled again after its
/// last use.
using LiveRanges = ShortList<LiveRange, 1>;

/// Consecutive bytes of one tile: the tile's share of a variable, or a message buffer.
struct Block {
  TileId tile;
  VariableId variable;  ///< kNoVariable for a buffer
  Bytes bytes;
  MemoryCategory category;
  FieldMemory memory = FieldMemory::Any;
  bool always_live = false;
  BlockId apart_from = kNoBlock;  ///< a block that must not share a memory element with this one
  Bytes address = {};  ///< the address of the first byte, from the start of the tile's memory
  LiveRanges live = {{0, 0}};
};

/// A family of vertices with its data in tile memory.
struct BoundFamily {
  std::shared_ptr<const VertexType> type;
  TileId tile;
  std::uint32_t count;
  bool round_robin;  ///< as in VertexFamily
  BoundFields fields;
};

/// What a step of StepKind::HostCopy moves.
struct HostCopy {
  HostDirection direction = HostDirection::ToChip;
  Bytes bytes;
  HostPath path = HostPath::Link;
  std::vector<VariableId> variables;
  std::optional<Cycles> measured = {};  ///< in place of the time that the model predicts
};

/// Elements of a row in a block: a walk from the block's bytes to those of the row.
struct RowPart {
  BlockId block;
  Walk<BlockOffsets> walk;
};

/// What a step of StepKind::RemoteBegin moves. Its RemoteEnd has direction and bytes alone.
struct RowCopy {
  RemoteDirection direction = RemoteDirection::Load;
  Bytes bytes;
  RemoteBufferId buffer = {};
  Bytes element;
  std::uint64_t row = 0;
  std::uint64_t rows = 1;        ///< of the buffer
  BlockId row_block = kNoBlock;  ///< holds the row instead, at `row_offset`; kNoBlock: `row` does
  Bytes row_offset;
  ElementType row_type = ElementType::UInt32;
  std::vector<RowPart> parts;
  Bytes address;  ///< of the row, from the start of an IPU's part of the memory

  [[nodiscard]] Bytes bytesOf(const RowPart& part) const { return part.walk.elements() * element; }
};

/// A step of the compiled program. Compute and OnTileCopy have vertices, Exchange and
/// GlobalExchange have messages, HostCopy has a transfer, and RemoteBegin has a row. The messages
/// of an Exchange stay on an IPU; those of a GlobalExchange go from one IPU to another.
struct Step {
  std::string name;
  StepKind kind;
  std::vector<BoundFamily> families;
  Messages messages;
  HostCopy host = {};
  RowCopy remote = {};
  /// Cycles of each tile that takes part, in place of those that the model predicts; empty when
  /// they were not measured.
  CyclesByTile measured = {};

  [[nodiscard]] bool isMeasured() const { return !measured.empty() || host.measured.has_value(); }
};

/// What one tile's memory holds.
struct TileMemory {
  CategoryBytes at_peak = {};  ///< always-live bytes, and not-always-live bytes at the peak
  Bytes always_live;
  Bytes peak_not_always_live;
  std::uint32_t peak_position = 0;  ///< position of the peak
  Bytes highest_address;            ///< from the start of memory, gaps included
  Bytes bytes_over;                 ///< bytes past the end of the memory or of its code region
  MemoryCategory over_category = MemoryCategory::Variables;

  [[nodiscard]] Bytes bytes() const { return always_live + peak_not_always_live; }
};

struct MemoryMap {
  std::vector<TileMemory> tiles;
  LivenessCurves liveness;
};

/// What one exchange moves.
struct ExchangeVolume {
  Bytes bytes;           ///< received by all tiles together
  Bytes max_tile_bytes;  ///< received by the tile that receives most
  std::uint64_t messages = 0;
  Activity activity;  ///< words and bytes on links, of one iteration
};

/// What a tile's code for all exchanges is made of.
struct ExchangeCode {
  std::uint64_t exchanges = 0;             ///< how many exchanges the tile takes part in
  std::uint64_t send_instructions = 0;     ///< one for each consecutive piece sent
  std::uint64_t receive_instructions = 0;  ///< one for each consecutive piece received
  std::uint64_t global_exchanges = 0;      ///< exchanges between IPUs in which the tile takes part
  std::uint64_t packets_sent = 0;          ///< to other IPUs
};

/// What lowering makes of a graph: the steps with their data in blocks. The blocks get their
/// addresses later.
struct Lowered {
  std::vector<Step> steps;
  /// What runs. Of steps that data decide about, it has those that an execution record names.
  std::vector<Control> control;
  bool depends_on_data = false;  ///< data decide what runs: another run may take another way
  /// One entry per position in program order: its step. All that may run has a position.
  std::vector<StepId> positions;
  std::vector<Block> blocks;
  /// `share_of[variable][tile]` is the variable's block on the tile. It is kNoBlock where the tile
  /// has no element.
  std::vector<std::vector<BlockId>> share_of;

  /// The tile's share of the variable. Throws std::out_of_range where the tile has none.
  [[nodiscard]] const Block& shareOf(VariableId variable, TileId tile) const {
    return blocks.at(indexOf(share_of.at(indexOf(variable)).at(tile.tile())));
  }
};

/// What the scheduled exchanges amount to.
struct Traffic {
  std::vector<ExchangeVolume>
      volumes;  ///< one entry per step: zero unless it is an Exchange or a GlobalExchange
  std::vector<ExchangeCode> exchange_code;  ///< one entry per tile
  /// One entry per tile: words and bytes on links in all exchanges, over the run.
  std::vector<Activity> activity_of_tile;
};

/// A compiled program: what each stage made, and the system that the program is for.
struct Executable {
  System system;
  Lowered lowered;  ///< its blocks hold their addresses
  Traffic traffic;
  MemoryMap memory;
  SystemPrograms programs;
};

/// True for steps with messages.
inline bool movesMessages(StepKind kind) {
  return kind == StepKind::Exchange || kind == StepKind::GlobalExchange;
}

}  // namespace ipusim::compiler
