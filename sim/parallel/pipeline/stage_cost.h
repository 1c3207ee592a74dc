// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ipusim/result.h"
#include "sim/parallel/pipeline/settings.h"
#include "sim/parallel/pipeline/spill.h"
#include "sim/run/host_cost.h"
#include "workloads/networks/cuts/stage.h"

// What a section of a network takes of its IPU: its program is built, compiled and simulated as any
// other program of one chip. A section is a stage, or the part of a network that a phase executes.

namespace ipusim::parallel {

Bytes sumOf(const std::vector<Bytes>& bytes);

/// A pass of a section's program, and how a tile spends it on average. What is left is sync.
struct PassTime {
  Cycles length;
  double compute_cycles = 0;
  double exchange_cycles = 0;
  double host_cycles = 0;
  Activity activity =
      {};  ///< of the pass, all tiles together; its tile cycles are those of the chip

  [[nodiscard]] double syncCycles() const;
  PassTime& operator+=(const PassTime& other);
  /// All parts `ratio` times as long. The pass does as much.
  [[nodiscard]] PassTime scaled(double ratio) const;
};

/// What the bytes of an IPU are used for.
enum class Holding : std::uint8_t {
  Weights,
  Gradients,  ///< accumulators
  OptimizerState,
  Stash,    ///< activations of earlier micro-batches
  Buffers,  ///< what other IPUs write or read
  Working,  ///< activations of one micro-batch, rearranged operands, partial sums
  Code,     ///< vertices, control, exchanges and stacks
};
constexpr std::size_t kHoldings = 7;
const char* keyOf(Holding holding);
using HeldBytes = std::array<Bytes, kHoldings>;

/// A tile that holds more than it can.
/// The tile that lacks most.
struct StageOverflow {
  std::uint32_t tile;
  Bytes needed;
  Bytes capacity;        ///< the memory of a tile, or its part that may hold code
  bool is_code = false;  ///< code alone is too much

  [[nodiscard]] Bytes lacking() const { return excess(needed, capacity); }
};

struct StageCost {
  PassTime forward;     ///< of a micro-batch, the copy to the stash included
  PassTime backward;    ///< of a micro-batch, recomputation and the copy from the stash included
  PassTime update;      ///< on the chip: the parameters, and adds and copies of the collectives
  Bytes saved;          ///< what a micro-batch leaves for its backward pass
  Bytes sent_forward;   ///< to the next stage, per micro-batch; as much comes back
  Bytes gradients;      ///< data of the collectives, padded to equal shares
  Bytes optimizer;      ///< state of one replica, wherever it lies
  HeldBytes held = {};  ///< all tiles together
  Bytes spilled;        ///< of a micro-batch, for which there is no room until its backward pass
  Bytes streaming;      ///< held beside the chip
  Bytes max_tile_bytes;
  /// One entry per tile, with what waits there. Empty where only a sum over modules is known.
  std::vector<Bytes> tile_bytes = {};
  std::optional<StageOverflow> overflow;

  [[nodiscard]] Bytes total() const;
  /// Adds the cost of modules that follow. They take turns with the memory that they work in.
  void add(const StageCost& next);
};

/// Steps [first, last) of a compiled program that make a pass of it, and when they run.
struct PassSteps {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  Cycles begin;
  Cycles end;
  std::uint32_t position = 0;  ///< its first entry in Result::positions
};

/// Forward pass, backward pass and update.
using Passes = std::array<PassSteps, 3>;

/// What the program of a section takes on one chip, whatever waits there.
struct SectionProgram {
  StageCost cost;                   ///< without stash
  std::optional<OutOfMemory> oom;   ///< of the program
  bool saves_input = false;         ///< `saved` holds the input
  std::vector<Bytes> saved;         ///< one entry per tile: what backward passes read
  std::vector<Bytes> input;         ///< one entry per tile
  std::vector<Bytes> weights;       ///< one entry per tile
  std::vector<Bytes> accumulators;  ///< one entry per tile
  std::vector<Bytes> optimizer;     ///< one entry per tile
  std::vector<Bytes> code;          ///< one entry per tile: all that is no data
  std::vector<Bytes> fetched;       ///< one entry per tile: the part of `code` in the code region
  std::vector<Bytes> tile_bytes;    ///< one entry per tile
  // What does not live always, at its peak: one entry per tile.
  std::vector<Bytes> at_forward;
  std::vector<Bytes> at_backward;
  std::vector<Bytes> at_update;
  std::vector<StashedData> waiting = {};  ///< one entry per tile; only where data may be spilled
};

/// Measures sections. Sections of equal modules at like places cost the same, and are simulated
/// once.
class StageMeter {
 public:
  /// `training` must outlive this. `hear` hears of the work of each program before it is compiled.
  StageMeter(const ParallelTraining& training, Engine engine, run::OnWorkEstimate on_estimate);

  /// The modules as a stage whose stash holds `depth` micro-batches.
  StageCost cost(workloads::ModuleRange range, std::uint64_t depth);

  /// The program of the modules as a stage whose stash holds `depth` micro-batches. Equal sections
  /// get the same object, which lives as long as this.
  const SectionProgram& program(workloads::ModuleRange range, std::uint64_t depth = 0);

  /// The number of programs that were compiled and simulated.
  [[nodiscard]] std::size_t programs() const { return programs_.size(); }

 private:
  [[nodiscard]] std::string keyOf(workloads::ModuleRange range, bool recomputes_modules) const;
  [[nodiscard]] workloads::StageSharing sharing(bool recomputes_modules) const;
  SectionProgram measure(workloads::ModuleRange range, bool recomputes_modules);
  SectionProgram measured(workloads::ModuleRange range, const workloads::StageSharing& sharing);
  void setTimes(const Result& result, const Passes& passes, SectionProgram& measured) const;
  static void setTileBytes(const Result& result, const workloads::Stage& stage,
                           SectionProgram& measured);
  void setBytes(const Graph& graph, const workloads::Stage& stage, workloads::ModuleRange range,
                StageCost& cost) const;
  StageCost costOfProgram(workloads::ModuleRange range, std::uint64_t depth);
  void addStash(const SectionProgram& measured, std::uint64_t depth, StageCost& cost) const;
  void setFit(const SectionProgram& measured, const std::vector<Bytes>& stash,
              StageCost& cost) const;
  void addSpill(const SectionProgram& measured, std::uint64_t depth, StageCost& cost) const;
  /// Says where modules that fit one by one hold more together than the IPU has. Some tile then has
  /// at least the mean.
  void setFitOfSum(workloads::ModuleRange range, std::uint64_t depth, StageCost& sum);

  const ParallelTraining& training_;
  Machine ipu_;  ///< its tiles that compute
  Engine engine_;
  run::OnWorkEstimate on_estimate_;
  run::HostWork work_;
  std::map<std::string, SectionProgram> programs_;
};

}  // namespace ipusim::parallel
