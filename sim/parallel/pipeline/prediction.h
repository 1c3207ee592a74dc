// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sim/parallel/pipeline/collectives.h"
#include "sim/parallel/pipeline/phase_memory.h"
#include "sim/parallel/pipeline/settings.h"
#include "sim/parallel/pipeline/stage_cost.h"
#include "sim/run/run_result.h"

// Training on several IPUs. Every distinct section is simulated once as a program of one chip. The
// order of stages and phases, the exchanges between IPUs and the streaming memory are added in
// numbers.

namespace ipusim::parallel {

/// How an IPU spends an update, in seconds. The sum is the time of the update.
struct IpuTime {
  double compute = 0;
  double exchange = 0;   ///< on the chip
  double links = 0;      ///< exchanges between IPUs, without their syncs
  double streaming = 0;  ///< the memory beside the chip
  double host = 0;
  double sync = 0;    ///< on the chip and between IPUs
  double bubble = 0;  ///< waiting for other stages

  [[nodiscard]] double sum() const {
    return compute + exchange + links + streaming + host + sync + bubble;
  }
};

/// The parts of an update, in seconds. The sum is the time of the update.
struct StepParts {
  double work = 0;         ///< forward and backward passes, as if all stages were equally long
  double imbalance = 0;    ///< what the longest stage takes beyond the mean stage
  double serial = 0;       ///< IPUs that wait for their turn
  double streaming = 0;    ///< transfers of phases that no computing hides
  double fill = 0;         ///< cycles in which stages have nothing to do
  double boundaries = 0;   ///< exchanges between stages
  double collectives = 0;  ///< exchanges between replicas
  double update = 0;       ///< on the chip, adds and copies of the collectives included
  double host = 0;

  [[nodiscard]] double sum() const {
    return work + imbalance + serial + streaming + fill + boundaries + collectives + update + host;
  }
};

/// The IPUs of the replicas with one place in them: those of a stage or, where phases take turns,
/// those that execute some of the phases.
struct StagePrediction {
  workloads::ModuleRange modules;  ///< of a stage
  StageCost cost;                  ///< with phases, only memory: that of the fullest phase
  std::uint64_t stash_depth = 0;   ///< micro-batches of a stage
  IpuTime time;                    ///< of each of these IPUs
  // Passes of a micro-batch, with the copies between the chip and the memory beside it.
  double forward_seconds = 0;
  double backward_seconds = 0;
  std::size_t fullest_phase = 0;  ///< index into ParallelPrediction::phases
};

struct PhasePrediction {
  workloads::ModuleRange modules;
  Phase phase;
  PhaseCost cost;
  PhaseMemory memory;
};

/// IPUs whose machine has less streaming memory than they use.
struct StreamingOverflow {
  std::uint32_t first_ipu;
  std::uint32_t last_ipu;
  Bytes needed;
  Bytes capacity;
};

struct ParallelPrediction {
  std::vector<StagePrediction> stages;  ///< one entry per IPU of a replica
  std::vector<PhasePrediction> phases;  ///< in the order of a step; empty for stages
  std::uint64_t pipeline_cycles = 0;
  std::uint64_t ramp_cycles = 0;  ///< cycles that fill the pipeline; as many flush it
  double boundary_seconds = 0;  ///< one exchange of all boundaries, its sync included; for shards,
                                ///< all exchanges of a micro-batch
  CollectiveTime collective;
  StepParts parts;
  double step_seconds = 0;
  // One standard deviation around the time of a step: the spread of runs on one IPU, and that of
  // links for the share of the time in which tiles exchange, stream and wait for syncs.
  double low_seconds = 0;
  double high_seconds = 0;
  std::uint64_t samples = 0;  ///< per update, all replicas together
  std::size_t programs = 0;   ///< distinct programs that were simulated
  Engine engine = Engine::SystemC;
  bool cuts_are_chosen = false;  ///< by the balance of the stages; the config gives none

  std::optional<StreamingOverflow> streaming_overflow;
  std::optional<run::RunEnergy> energy;  ///< of a step, on all IPUs; none for phases

  [[nodiscard]] bool fits() const { return firstOverflow() == nullptr && !streaming_overflow; }
  /// The first stage that does not fit its IPU, if any.
  [[nodiscard]] const StagePrediction* firstOverflow() const;
  /// Share of the step in which all IPUs compute micro-batches.
  [[nodiscard]] double efficiency() const { return parts.work / step_seconds; }
};

/// Predicts an update. With Engine::SystemC, must not be called from two threads. Throws
/// ConfigError when cycles, bytes or work do not fit 64 bits. `hear`, if any, hears of the work of
/// each program before it is compiled; what it throws passes.
ParallelPrediction predictParallel(const ParallelTraining& training, Engine engine,
                                   const run::OnWorkEstimate& on_estimate = {});

/// What keeps more IPUs from helping, as one sentence with its share of the step.
std::string limitOf(const ParallelPrediction& prediction);

}  // namespace ipusim::parallel
