// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/phase_memory.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace ipusim::parallel {

namespace {

using TileBytes = std::vector<Bytes>;  // one entry per tile

void add(const TileBytes& bytes, std::uint64_t times, TileBytes& sum) {
  for (std::size_t t = 0; t < sum.size(); ++t) sum[t] += times * bytes[t];
}

/// What lies on one IPU in all phases.
struct ResidentMemory {
  TileBytes code;
  TileBytes fetched;  ///< the part of `code` in the code region
  TileBytes weights;
  TileBytes optimizer;
  TileBytes stash;

  explicit ResidentMemory(std::size_t tiles)
      : code(tiles), fetched(tiles), weights(tiles), optimizer(tiles), stash(tiles) {}
};

class Memories {
 public:
  Memories(const ParallelTraining& training, const std::vector<Section>& sections,
           const std::vector<Phase>& phases)
      : training_(training), sections_(sections), phases_(phases), ipu_(training.computeIpu()) {
    for (std::uint32_t ipu = 0; ipu < training.stages; ++ipu) {
      residents_.push_back(residentsOf(ipu));
    }
  }

  [[nodiscard]] PhaseMemory of(std::size_t p) const {
    const Phase& phase = phases_[p];
    const SectionProgram& program = programOf(phase);
    const ResidentMemory& residents = residents_[ipuOf(training_, phase.section)];
    const TileBytes beside = besideOf(p);
    const bool updates = phase.kind != PhaseKind::Forward;
    PhaseMemory memory;
    TileBytes needed = residents.code;
    const auto put = [&](Holding holding, const TileBytes& bytes) {
      add(bytes, 1, needed);
      memory.held[static_cast<std::size_t>(holding)] = sumOf(bytes);
    };
    memory.held[static_cast<std::size_t>(Holding::Code)] = sumOf(residents.code);
    put(Holding::Weights, training_.offload.weights ? program.weights : residents.weights);
    if (updates) put(Holding::Gradients, program.accumulators);
    put(Holding::Stash, residents.stash);
    put(Holding::Buffers, beside);
    put(Holding::Working, workingOf(phase));
    const TileBytes& state =
        training_.offload.optimizer_state ? program.optimizer : residents.optimizer;
    if (updates || !training_.offload.optimizer_state) put(Holding::OptimizerState, state);
    setFit(needed, residents.fetched, memory);
    addIoTiles(p, memory);
    return memory;
  }

 private:
  [[nodiscard]] const SectionProgram& programOf(const Phase& phase) const {
    return *sections_[phase.section].program;
  }

  [[nodiscard]] ResidentMemory residentsOf(std::uint32_t ipu) const {
    ResidentMemory residents(ipu_.tiles);
    std::set<const SectionProgram*> known;
    for (std::size_t s = 0; s < sections_.size(); ++s) {
      if (ipuOf(training_, s) != ipu) continue;
      const SectionProgram& program = *sections_[s].program;
      if (known.insert(&program).second) {
        add(program.code, 1, residents.code);
        add(program.fetched, 1, residents.fetched);
      }
      add(program.weights, 1, residents.weights);
      add(program.optimizer, 1, residents.optimizer);
      if (!training_.offload.activations) addStash(s, residents.stash);
    }
    return residents;
  }

  /// Adds the rows of all micro-batches that wait for section s. They are most when the last
  /// section turns: gradients take the places of rows that were read.
  void addStash(std::size_t s, TileBytes& stash) const {
    if (sections_.size() == 1) return;
    const SectionProgram& program = *sections_[s].program;
    const bool keeps_all = s + 1 < sections_.size() && !training_.recomputes;
    if (keeps_all) add(program.saved, training_.micro_batches, stash);
    if (keeps_all && program.saves_input) return;
    add(program.input, training_.micro_batches, stash);
  }

  /// What a phase has at hand besides parameters: what lives always, such as landing buffers, and
  /// what lives in its passes.
  [[nodiscard]] TileBytes workingOf(const Phase& phase) const {
    const SectionProgram& program = programOf(phase);
    TileBytes working(ipu_.tiles);
    for (std::size_t t = 0; t < working.size(); ++t) {
      const Bytes peak =
          std::max({program.at_forward[t], program.at_backward[t], program.at_update[t]});
      const Bytes apart = peak + program.code[t] + program.weights[t] + program.accumulators[t] +
                          program.optimizer[t];
      working[t] = excess(program.tile_bytes[t], apart) + peakIn(phase, t);
    }
    return working;
  }

  /// The most that does not live always. The state that comes for the update takes no place before
  /// that: where the passes have a higher peak than the update, it has that place.
  [[nodiscard]] Bytes peakIn(const Phase& phase, std::size_t tile) const {
    const SectionProgram& program = programOf(phase);
    const Bytes forward = program.at_forward[tile];
    if (phase.kind == PhaseKind::Forward) return forward;
    const bool runs_forward = phase.kind == PhaseKind::Turn || training_.recomputes;
    const Bytes passes = std::max(runs_forward ? forward : Bytes(0), program.at_backward[tile]);
    const Bytes update = program.at_update[tile];
    const bool comes_late =
        training_.offload.optimizer_state && training_.phased.schedule == IoSchedule::OnDemand;
    return std::max(comes_late ? excess(passes, program.optimizer[tile]) : passes, update);
  }

  /// Room for parameters that go after the phase before, and then for those of the next phase.
  [[nodiscard]] TileBytes besideOf(std::size_t p) const {
    TileBytes room(ipu_.tiles);
    if (!training_.doublesBuffers()) return room;
    if (p > 0 && phases_[p - 1].kind != PhaseKind::Forward) enlarge(phases_[p - 1], room);
    if (p + 1 < phases_.size()) enlarge(phases_[p + 1], room);
    return room;
  }

  void enlarge(const Phase& phase, TileBytes& room) const {
    const SectionProgram& program = programOf(phase);
    const std::uint64_t shares = training_.shards_optimizer ? training_.rackReplicas() : 1;
    const bool has_state = training_.offload.optimizer_state && phase.kind != PhaseKind::Forward;
    for (std::size_t t = 0; t < room.size(); ++t) {
      Bytes bytes;
      if (training_.offload.weights) bytes += Bytes(ceilDiv(program.weights[t].value(), shares));
      if (has_state) bytes += program.optimizer[t];
      room[t] = std::max(room[t], bytes);
    }
  }

  void setFit(const TileBytes& needed, const TileBytes& fetched, PhaseMemory& memory) const {
    for (std::uint32_t t = 0; t < needed.size(); ++t) {
      const StageOverflow all{t, needed[t], ipu_.sram_per_tile};
      const StageOverflow code{t, fetched[t], ipu_.code_region, true};
      addTile(needed[t], code.lacking() > all.lacking() ? code : all, memory);
    }
  }

  void addIoTiles(std::size_t p, PhaseMemory& memory) const {
    const std::uint32_t tiles = training_.phased.io_tiles;
    if (tiles == 0) return;
    Bytes bytes = phases_[p].rows.load + phases_[p].rows.store;
    if (training_.doublesBuffers()) {
      Bytes moved = p > 0 ? phases_[p - 1].updated : Bytes(0);
      if (p + 1 < phases_.size()) moved += phases_[p + 1].weights + phases_[p + 1].state;
      bytes += Bytes(ceilDiv(moved.value(), training_.micro_batches));
    }
    memory.held[static_cast<std::size_t>(Holding::Buffers)] += bytes;
    const Bytes each(ceilDiv<std::uint64_t>(bytes.value(), tiles));
    addTile(each, {ipu_.tiles, each, ipu_.sram_per_tile}, memory);
  }

  /// A tile that holds `bytes`, and what it may lack.
  static void addTile(Bytes bytes, const StageOverflow& tile, PhaseMemory& memory) {
    memory.max_tile_bytes = std::max(memory.max_tile_bytes, bytes);
    const Bytes known = memory.overflow ? memory.overflow->lacking() : Bytes(0);
    if (tile.lacking() > known) memory.overflow = tile;
  }

  const ParallelTraining& training_;
  const std::vector<Section>& sections_;
  const std::vector<Phase>& phases_;
  Machine ipu_;
  std::vector<ResidentMemory> residents_;  // one entry per IPU of a replica
};

}  // namespace

Bytes PhaseMemory::total() const {
  return std::accumulate(held.begin(), held.end(), Bytes(0));
}

std::vector<PhaseMemory> phaseMemories(const ParallelTraining& training,
                                       const std::vector<Section>& sections,
                                       const std::vector<Phase>& phases) {
  std::vector<PhaseMemory> result;
  const Memories memories(training, sections, phases);
  for (std::size_t p = 0; p < phases.size(); ++p) result.push_back(memories.of(p));
  return result;
}

std::vector<Bytes> streamingBytes(const ParallelTraining& training,
                                  const std::vector<Section>& sections) {
  std::vector<Bytes> bytes(training.stages);
  for (std::size_t s = 0; s < sections.size(); ++s) {
    Bytes& on_ipu = bytes[ipuOf(training, s)];
    if (training.offload.weights) on_ipu += offloadedWeights(training, sections[s]);
    if (training.offload.optimizer_state) on_ipu += sections[s].program->cost.optimizer;
    if (!training.offload.activations) continue;
    const SectionRows rows = rowsOf(training, sections, s);
    on_ipu += training.micro_batches * (rows.input + rows.fresh + rows.result);
  }
  return bytes;
}

}  // namespace ipusim::parallel
