// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "ipusim/element_type.h"
#include "ipusim/liveness_curves.h"
#include "ipusim/memory_category.h"
#include "ipusim/step_kind.h"
#include "ipusim/units.h"

// What the run of a graph has to say: plain data.

namespace ipusim {

/// What computes the times.
enum class Engine : std::uint8_t {
  SystemC,     ///< the chip, event by event
  ClosedForm,  ///< the same rules as recurrences, for sweeps
};

/// How an engine is called in results and on the command line.
const char* nameOf(Engine engine);

struct MachineResult {
  std::string name;
  std::uint32_t tiles = 0;
  Bytes sram_per_tile;
  Bytes code_region;
  double clock_hz = 0;

  [[nodiscard]] Bytes totalSram() const { return sram_per_tile * tiles; }
};

/// Counts of the compiled program: copies included, the body of a loop once.
struct GraphCounts {
  std::uint64_t variables = 0;
  std::uint64_t vertices = 0;
  std::uint64_t edges = 0;
  std::uint64_t compute_sets = 0;
  std::uint64_t exchanges = 0;
};

/// Why a program does not fit.
struct OutOfMemory {
  std::uint32_t tile = 0;  ///< the one that is furthest over
  std::string step;        ///< in which it is fullest
  MemoryCategory category = MemoryCategory::Variables;
  Bytes bytes_over;  ///< what lies past the end of the memory or of its code region
};

/// Bytes of a tile are its always-live bytes and its own peak of the others; totals are their sums
/// over the tiles. Gaps between addresses count only where the name says so.
struct MemoryResult {
  Bytes total;
  Bytes max_tile_bytes;
  std::uint32_t max_tile = 0;  ///< the lowest numbered of the fullest
  Bytes always_live;
  Bytes peak_not_always_live;
  CategoryBytes by_category = {};
  Bytes total_including_gaps;
  Bytes total_without_code;  ///< no vertex, control or exchange code, no stack
  Bytes max_tile_without_code;
};

/// The run, and how a tile spends it on average. The parts are rounded down to whole cycles, but
/// for sync: the rest, which is waiting for others in and after the program.
struct TimeResult {
  Cycles cycles;
  double seconds = 0;
  Cycles compute;
  Cycles exchange;
  Cycles sync;
  Cycles host;
};

/// Useful work. No rate where there is no time, no fraction where there is no peak.
struct WorkResult {
  Flops flops;
  std::optional<double> flops_per_second;
  std::optional<double> peak_fraction;
  /// Of a sparse operand's elements that are not zero. Then the peak fraction is theirs.
  std::optional<Flops> nonzero_flops;
  std::optional<double> nonzero_flops_per_second;
};

/// Payload of an exchange, in one iteration.
struct ExchangeResult {
  Bytes bytes;           ///< received, all tiles together
  Bytes max_tile_bytes;  ///< received by the tile that receives most
  std::uint64_t messages = 0;
};

/// A step of the compiled program. Cycles are those of all its iterations; vertices, bytes and
/// messages those of one.
struct StepResult {
  std::string name;
  StepKind kind = StepKind::Compute;
  std::uint64_t iterations = 0;
  Cycles cycles;               ///< of the tile that is longest in it
  std::uint32_t max_tile = 0;  ///< that tile, the lowest numbered of equals
  double mean_cycles = 0;      ///< over all tiles
  Cycles start;                ///< when the first tile comes to its first iteration
  Cycles end;                  ///< when the last tile is done with its last iteration
  std::uint64_t vertices = 0;
  ExchangeResult exchange;
  Bytes host;  ///< moved between the host and the chip
  Bytes live;  ///< not-always-live bytes of all tiles while it runs
};

struct ProgramLoop;

/// A node of the program tree: a step, by its index into `steps`, or a loop.
using ProgramNode = std::variant<std::uint32_t, ProgramLoop>;

/// The body runs `iterations` times, at least once.
struct ProgramLoop {
  std::uint64_t iterations;
  std::vector<ProgramNode> body;
};

/// So many consecutive tiles hold `bytes` of a variable each.
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
  bool always_live = false;
  std::uint32_t first_position = 0;  ///< unless it lives always
  std::uint32_t last_position = 0;   ///< inclusive
  std::vector<TileRun> tiles;        ///< ascending, none without bytes
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
  Cycles sync;
  Cycles idle;  ///< from its end to that of the run

  [[nodiscard]] Bytes total() const { return always_live + peak_not_always_live; }
};

struct EngineResult {
  Engine kind = Engine::SystemC;
  std::uint64_t iterations_simulated = 0;
  std::uint64_t tile_steps = 0;
  double wall_seconds = 0;  ///< of the engine alone; differs from run to run
};

/// All that the run of a graph has to say.
struct Result {
  MachineResult machine;
  GraphCounts graph;
  std::optional<OutOfMemory> oom;
  MemoryResult memory;
  TimeResult time;
  WorkResult work;
  std::vector<StepResult> steps;         ///< in program order
  std::vector<ProgramNode> program;      ///< in which order the steps run, and how often
  std::vector<std::uint32_t> positions;  ///< one entry per place in program order: its step
  LivenessCurves liveness;               ///< what each tile holds at each position
  std::vector<VariableResult> variables;
  std::vector<TileResult> tiles;
  EngineResult engine;

  [[nodiscard]] bool fits() const { return !oom.has_value(); }
};

}  // namespace ipusim
