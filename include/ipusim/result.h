// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ipusim/activity.h"
#include "ipusim/element_type.h"
#include "ipusim/memory_use.h"
#include "ipusim/step_kind.h"
#include "ipusim/tensor.h"
#include "ipusim/units.h"

// The result of running a graph, as plain data.

namespace ipusim {

/// The engine that computes the times.
enum class Engine : std::uint8_t {
  SystemC,     ///< simulates the chip event by event
  ClosedForm,  ///< computes the same rules as recurrences, for sweeps
};

/// The name of an engine in results and on the command line.
const char* nameOf(Engine engine);

struct MachineResult {
  std::string name;
  std::uint32_t tiles = 0;
  Bytes sram_per_tile;
  Bytes code_region;
  double clock_hz = 0;

  [[nodiscard]] Bytes totalSram() const { return sram_per_tile * tiles; }
};

/// Counts of the compiled program. Copies are included; the body of a loop counts once.
struct GraphCounts {
  std::uint64_t variables = 0;
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::uint64_t compute_sets = 0;
  std::uint64_t exchanges = 0;
};

/// Why a program does not fit.
struct OutOfMemory {
  std::uint32_t tile = 0;  ///< the tile that is furthest over
  std::string step;        ///< the step in which that tile is fullest
  /// The largest code, where all of it is too much for the region that may hold code. Else that of
  /// the largest variable or buffer that is there then.
  MemoryCategory category = MemoryCategory::Variables;
  Bytes bytes_over;            ///< bytes past the end of the memory or of its code region
  std::uint32_t position = 0;  ///< of that step in program order
  /// The name of the largest variable, or of the one that the largest buffer is a copy of. Empty
  /// for code, and for a buffer with data of other buffers.
  std::string variable = {};
  Bytes largest = {};  ///< the bytes of that code, variable or buffer
};

/// The bytes of a tile are its always-live bytes plus its own peak of the others. Totals are sums
/// over the tiles. Gaps between addresses count only where the name says so.
struct MemoryResult {
  Bytes total;
  Bytes max_tile_bytes;
  std::uint32_t max_tile = 0;  ///< the lowest numbered one of the fullest tiles
  Bytes always_live;
  Bytes peak_not_always_live;
  CategoryBytes by_category = {};
  Bytes total_including_gaps;
  Bytes total_without_code;  ///< without vertex, control and exchange code and stacks
  Bytes max_tile_without_code;
};

/// The time of the run, and how a tile spends it on average. The parts are rounded down to whole
/// cycles. `sync` is the rest: waiting for other tiles during and after the program.
struct TimeResult {
  Cycles cycles;
  double seconds = 0;
  Cycles compute;
  Cycles exchange;
  Cycles sync;
  Cycles host;
  Cycles links;      ///< in exchanges between IPUs; waiting for the last IPU is `sync`
  Cycles streaming;  ///< waiting for the streaming memory
};

/// Useful work. A rate is empty when there is no time; a fraction is empty when there is no peak.
struct WorkResult {
  Flops flops;
  std::optional<double> flops_per_second;
  std::optional<double> peak_fraction;
  std::string peak_units = {};  ///< the units that have the peak; empty when nobody said
  /// Work on the elements of a sparse operand that are not zero. When set, `peak_fraction` counts
  /// this work.
  std::optional<Flops> nonzero_flops;
  std::optional<double> nonzero_flops_per_second;
};

/// Payload of an exchange, in one iteration.
struct ExchangeResult {
  Bytes bytes;           ///< received, all tiles together
  Bytes max_tile_bytes;  ///< received by the tile that receives most
  std::uint64_t messages = 0;
};

/// A step of the compiled program. `cycles` count all its iterations; vertices, bytes and messages
/// count one iteration.
struct StepResult {
  std::string name;
  StepKind kind = StepKind::Compute;
  std::uint64_t iterations = 0;
  Cycles cycles;               ///< cycles of the tile that spends most in the step
  std::uint32_t max_tile = 0;  ///< the tile with these cycles; the lowest numbered one of equals
  double mean_cycles = 0;      ///< over all tiles
  Cycles start;                ///< when the first tile comes to its first iteration
  Cycles end;                  ///< when the last tile has done its last iteration
  std::uint64_t vertices = 0;
  ExchangeResult exchange;
  Bytes host;             ///< moved between the host and the chip
  Bytes remote;           ///< moved between the streaming memory and the chip
  Bytes live;             ///< bytes of all tiles that do not live always, while the step runs
  bool measured = false;  ///< an execution record says what the step takes; nothing is predicted
  /// Of all iterations. The last step of the program has the time of tiles that end before the run.
  Activity activity;
};

struct ProgramLoop;

/// A node of the program tree: a step, by its index into `steps`, or a loop.
using ProgramNode = std::variant<std::uint32_t, ProgramLoop>;

/// The body runs `iterations` times, at least once.
struct ProgramLoop {
  std::uint64_t iterations;
  std::vector<ProgramNode> body;
};

/// `tiles` consecutive tiles that each hold `bytes` of a variable.
struct TileRun {
  std::uint32_t first_tile;
  std::uint32_t tiles;
  Bytes bytes;
};

/// A tensor with storage.
struct VariableResult {
  std::string name;
  ElementType type = ElementType::Float;
  std::uint64_t elements = 0;
  Shape shape = {};  ///< what they stand for; padded storage has more elements
  bool always_live = false;
  std::uint32_t first_position = 0;  ///< for a variable that does not live always
  std::uint32_t last_position = 0;   ///< inclusive
  std::vector<TileRun> tiles;        ///< ascending; tiles without bytes are left out
};

/// A tile's memory at its peak, and its cycles.
struct TileResult {
  CategoryBytes bytes = {};
  Bytes always_live;
  Bytes peak_not_always_live;
  Bytes including_gaps;
  Bytes over;
  Cycles compute;
  Cycles copy;
  Cycles exchange;
  Cycles host;
  Cycles links;      ///< in exchanges between IPUs; waiting for the last IPU is `sync`
  Cycles streaming;  ///< waiting for the streaming memory
  Cycles sync;
  Cycles idle;  ///< from the end of the tile's program to the end of the run
  Activity activity;

  [[nodiscard]] Bytes total() const { return always_live + peak_not_always_live; }
};

/// What one IPU of several does. Cycles are means over its tiles, as in TimeResult.
struct IpuResult {
  std::uint32_t program = 0;  ///< IPUs with one number run equal programs
  Cycles compute;
  Cycles exchange;
  Cycles links;
  Cycles sync;
  Cycles host;
  Bytes memory;                ///< of all its tiles
  Bytes max_tile_bytes;        ///< of its fullest tile
  std::uint32_t max_tile = 0;  ///< the number of that tile on the IPU
};

/// What a set of links from one IPU to another carried over the run.
struct LinkResult {
  std::uint32_t from = 0;
  std::uint32_t to = 0;
  std::uint32_t links = 0;
  Bytes bytes;  ///< packet headers included
  Cycles busy;
};

/// A run on several IPUs. Tile t of IPU i has the number i * tiles_per_ipu + t in all results.
struct SystemResult {
  std::uint32_t tiles_per_ipu = 0;
  std::uint32_t programs = 0;     ///< how many different programs the IPUs run
  std::vector<IpuResult> ipus;    ///< one entry per IPU
  std::vector<LinkResult> links;  ///< sets that carried bytes, the busiest first
};

struct EngineResult {
  Engine kind = Engine::SystemC;
  std::uint64_t iterations_simulated = 0;
  std::uint64_t tile_steps = 0;
  double wall_seconds = 0;  ///< wall time of the engine alone; differs from one run to the next
};

/// What tiles in use spend on average, where some tiles of the chip do nothing but wait. The parts
/// of the time are rounded down as in TimeResult, and `sync` is the rest.
struct TilesInUse {
  std::uint32_t tiles = 0;  ///< that compute, copy, exchange, or wait for the host or the memory
  Cycles compute;
  Cycles exchange;
  Cycles sync;
  Cycles host;
  Cycles streaming;
  std::vector<double> step_cycles;  ///< one entry per step
  double idle_cycles = 0;           ///< after their last step
};

/// All results of running a graph.
struct Result {
  MachineResult machine;
  GraphCounts graph;
  std::optional<OutOfMemory> oom;
  MemoryResult memory;
  TimeResult time;
  WorkResult work;
  Activity activity;                     ///< that of all steps, and that of all tiles
  std::vector<StepResult> steps;         ///< in program order
  std::vector<ProgramNode> program;      ///< the order in which the steps run, and how often
  std::vector<std::uint32_t> positions;  ///< one entry per position in program order: its step
  LivenessCurves liveness;               ///< bytes that each tile holds at each position
  std::vector<VariableResult> variables;
  std::vector<TileResult> tiles;
  /// None where all tiles are in use, on several IPUs, and where each layer is a program.
  std::optional<TilesInUse> in_use = {};
  std::optional<SystemResult> system;  ///< set for a run on several IPUs
  EngineResult engine;

  [[nodiscard]] bool fits() const { return !oom.has_value(); }
};

}  // namespace ipusim
