// SPDX-License-Identifier: Apache-2.0
#include "sim/parallel/pipeline/stage_cost.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/error_boundary.h"
#include "models/ipu/cost/movement/copy.h"
#include "workloads/networks/lowering/node_lowering.h"

namespace ipusim::parallel {

using workloads::ModuleRange;

Bytes sumOf(const std::vector<Bytes>& bytes) {
  return std::accumulate(bytes.begin(), bytes.end(), Bytes(0));
}

double PassTime::syncCycles() const {
  return static_cast<double>(length.value()) - compute_cycles - exchange_cycles - host_cycles;
}

PassTime& PassTime::operator+=(const PassTime& other) {
  length += other.length;
  compute_cycles += other.compute_cycles;
  exchange_cycles += other.exchange_cycles;
  host_cycles += other.host_cycles;
  activity += other.activity;
  return *this;
}

PassTime PassTime::scaled(double ratio) const {
  const double cycles = std::round(ratio * static_cast<double>(length.value()));
  return {Cycles(static_cast<std::uint64_t>(cycles)), ratio * compute_cycles,
          ratio * exchange_cycles, ratio * host_cycles, activity};
}

const char* keyOf(Holding holding) {
  constexpr std::array<const char*, kHoldings> kKeys = {
      "weights", "gradients", "optimizer_state", "stash", "buffers", "working", "code"};
  return kKeys.at(static_cast<std::size_t>(holding));
}

Bytes StageCost::total() const {
  return std::accumulate(held.begin(), held.end(), Bytes(0));
}

void StageCost::add(const StageCost& next) {
  forward += next.forward;
  backward += next.backward;
  update += next.update;
  saved += next.saved;
  sent_forward = next.sent_forward;
  gradients += next.gradients;
  optimizer += next.optimizer;
  spilled += next.spilled;
  streaming += next.streaming;
  for (std::size_t h = 0; h < kHoldings; ++h) {
    const auto holding = static_cast<Holding>(h);
    const bool is_reused = holding == Holding::Working || holding == Holding::Buffers;
    held[h] = is_reused ? std::max(held[h], next.held[h]) : held[h] + next.held[h];
  }
  max_tile_bytes = std::max(max_tile_bytes, next.max_tile_bytes);
  tile_bytes.clear();
  if (!overflow) overflow = next.overflow;
}

namespace {

/// What the program of a stage lacks before anything waits on its tiles.
StageOverflow overflowOf(const OutOfMemory& oom, const Machine& ipu) {
  const bool is_code = isCode(oom.category);
  const Bytes capacity = is_code ? ipu.code_region : ipu.sram_per_tile;
  return {oom.tile, capacity + oom.bytes_over, capacity, is_code};
}

void takeWorse(const StageOverflow& tile, StageCost& cost) {
  const Bytes known = cost.overflow ? cost.overflow->lacking() : Bytes(0);
  if (tile.lacking() > known) cost.overflow = tile;
}

}  // namespace

StageMeter::StageMeter(const ParallelTraining& training, Engine engine,
                       run::OnWorkEstimate on_estimate)
    : training_(training),
      ipu_(training.computeIpu()),
      engine_(engine),
      on_estimate_(std::move(on_estimate)) {}

std::string StageMeter::keyOf(ModuleRange range, bool recomputes_modules) const {
  std::string key = range.first == 0 ? "first" : "";
  if (range.last == training_.network->modules()) key += "last";
  if (recomputes_modules) key += "recomputing";
  return key + training_.network->contentOf(range);
}

workloads::StageSharing StageMeter::sharing(bool recomputes_modules) const {
  return {training_.micro_batches > 1, training_.rackReplicas(), training_.racks(),
          training_.shards_optimizer, recomputes_modules};
}

const SectionProgram& StageMeter::program(ModuleRange range, std::uint64_t depth) {
  const bool recomputes_modules = training_.recomputesModules(depth);
  const std::string key = keyOf(range, recomputes_modules);
  const auto known = programs_.find(key);
  if (known != programs_.end()) return known->second;
  return programs_.emplace(key, measure(range, recomputes_modules)).first->second;
}

SectionProgram StageMeter::measure(ModuleRange range, bool recomputes_modules) {
  const std::string key = training_.sizes.has("file") ? "file" : "layers";
  return translateErrors<workloads::NotLowered, workloads::OperandError>(
      [&] { return measured(range, sharing(recomputes_modules)); },
      [&](const std::exception& mistake) {
        return ConfigError(training_.sizes.place(key) + ": " + mistake.what());
      });
}

/// Adds what waits for its backward pass: its bytes, and its copies on the tiles.
void StageMeter::addStash(const SectionProgram& measured, std::uint64_t depth,
                          StageCost& cost) const {
  const bool recomputes = training_.recomputesSections() && depth > 0;
  const std::vector<Bytes>& saved = recomputes ? measured.input : measured.saved;
  cost.saved = depth > 0 ? sumOf(saved) : Bytes(0);
  if (recomputes) cost.backward += measured.cost.forward;
  std::vector<Bytes> stash(saved.size());
  if (training_.offload.activations) {
    cost.streaming += depth * cost.saved;
  } else if (depth > 0) {
    for (std::size_t t = 0; t < stash.size(); ++t) stash[t] = depth * saved[t];
    const Bytes most = *std::max_element(saved.begin(), saved.end());
    const Cycles copy = models::copyCycles(ipu_, {{{1, most}}});
    const PassTime once{copy, static_cast<double>(copy.value())};
    cost.forward += once;
    cost.backward += once;
  }
  cost.held[static_cast<std::size_t>(Holding::Stash)] = sumOf(stash);
  if (training_.spills) {
    addSpill(measured, depth, cost);
  } else {
    setFit(measured, stash, cost);
  }
}

/// Spills what has no room. Inputs that live always stay, as code, parameters and buffers do. What
/// sections compute a second time waits for no other micro-batch.
void StageMeter::addSpill(const SectionProgram& measured, std::uint64_t depth,
                          StageCost& cost) const {
  const Bytes capacity = ipu_.sram_per_tile;
  if (measured.oom && isCode(measured.oom->category)) {
    cost.overflow = overflowOf(*measured.oom, ipu_);
  }
  const bool recomputes = training_.recomputesSections() && depth > 0;
  const std::uint64_t waiting_depth = recomputes ? 0 : depth;
  Bytes working_gone;
  Bytes stash_gone;
  for (std::uint32_t t = 0; t < measured.waiting.size(); ++t) {
    const StashedData& waiting = measured.waiting[t];
    const Bytes peak = stayingBytes(waiting, 0, 0);
    const Bytes inputs = recomputes ? measured.input[t] : excess(measured.saved[t], waiting.bytes);
    const Bytes fixed = excess(measured.tile_bytes[t], peak) + depth * inputs;
    const double wanted = spilledShare(waiting, {excess(capacity, fixed), waiting_depth});
    const double share = std::min(wanted, 1.0);
    const Bytes spilled(
        static_cast<std::uint64_t>(std::ceil(share * static_cast<double>(waiting.bytes.value()))));
    cost.spilled += spilled;
    stash_gone += waiting_depth * spilled;
    working_gone += excess(peak, stayingBytes(waiting, 0, share));
    const Bytes needed = fixed + stayingBytes(waiting, waiting_depth, share);
    cost.tile_bytes.push_back(needed);
    cost.max_tile_bytes = std::max(cost.max_tile_bytes, needed);
    takeWorse({t, needed, capacity}, cost);
  }
  cost.streaming += (waiting_depth + 1) * cost.spilled;
  const auto leave = [&cost](Holding holding, Bytes gone) {
    Bytes& held = cost.held[static_cast<std::size_t>(holding)];
    held = excess(held, gone);
  };
  leave(Holding::Stash, stash_gone);
  leave(Holding::Working, working_gone);
}

/// Compares bytes and not addresses: the stash may fill gaps that the program leaves.
void StageMeter::setFit(const SectionProgram& measured, const std::vector<Bytes>& stash,
                        StageCost& cost) const {
  const Bytes capacity = ipu_.sram_per_tile;
  const bool is_away = training_.offload.optimizer_state;
  if (measured.oom && (!is_away || isCode(measured.oom->category))) {
    cost.overflow = overflowOf(*measured.oom, ipu_);
  }
  for (std::uint32_t t = 0; t < stash.size(); ++t) {
    Bytes needed = measured.tile_bytes[t] + stash[t];
    if (is_away) {
      // The state is on the chip while parameters are updated.
      const Bytes state = measured.optimizer[t];
      const Bytes batches = std::max(measured.at_forward[t], measured.at_backward[t]);
      const Bytes before = std::max(batches, measured.at_update[t]) + state;
      const Bytes after = std::max(batches, measured.at_update[t] + state);
      needed = Bytes(needed.value() - (before.value() - after.value()));
    }
    cost.tile_bytes.push_back(needed);
    cost.max_tile_bytes = std::max(cost.max_tile_bytes, needed);
    takeWorse({t, needed, capacity}, cost);
  }
}

StageCost StageMeter::cost(ModuleRange range, std::uint64_t depth) {
  if (training_.measures == MeasuredUnit::Stages) return costOfProgram(range, depth);
  StageCost sum = costOfProgram({range.first, range.first + 1}, depth);
  for (std::size_t m = range.first + 1; m < range.last; ++m) {
    sum.add(costOfProgram({m, m + 1}, depth));
  }
  setFitOfSum(range, depth, sum);
  return sum;
}

void StageMeter::setFitOfSum(ModuleRange range, std::uint64_t depth, StageCost& sum) {
  const Bytes mean(ceilDiv(sum.total().value(), std::uint64_t{ipu_.tiles}));
  sum.max_tile_bytes = std::max(sum.max_tile_bytes, mean);
  if (sum.overflow || mean <= ipu_.sram_per_tile) return;
  std::vector<Bytes> held(ipu_.tiles);
  for (std::size_t m = range.first; m < range.last; ++m) {
    const SectionProgram& module = program({m, m + 1}, depth);
    for (std::uint32_t t = 0; t < ipu_.tiles; ++t) {
      held[t] += module.weights[t] + module.accumulators[t] + module.code[t];
    }
  }
  const auto fullest = std::max_element(held.begin(), held.end());
  sum.max_tile_bytes = std::max(sum.max_tile_bytes, *fullest);
  sum.overflow = StageOverflow{static_cast<std::uint32_t>(fullest - held.begin()),
                               sum.max_tile_bytes, ipu_.sram_per_tile};
}

StageCost StageMeter::costOfProgram(ModuleRange range, std::uint64_t depth) {
  const SectionProgram& of_program = program(range, depth);
  StageCost cost = of_program.cost;
  if (training_.offload.optimizer_state) {
    cost.streaming += cost.optimizer;
    cost.held[static_cast<std::size_t>(Holding::OptimizerState)] = Bytes(0);
  }
  addStash(of_program, depth, cost);
  return cost;
}

}  // namespace ipusim::parallel
