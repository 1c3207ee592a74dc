// SPDX-License-Identifier: Apache-2.0
#include "sim/run/separate.h"

#include <algorithm>
#include <utility>

#include "sim/run/summary/layers.h"

namespace ipusim::run {

namespace {

using workloads::SeparateProgram;

/// The nodes of a program tree, with `offset` added to the numbers of steps.
std::vector<ProgramNode> shifted(std::vector<ProgramNode> nodes, std::uint32_t offset) {
  for (ProgramNode& node : nodes) {
    if (auto* const loop = std::get_if<ProgramLoop>(&node)) {
      loop->body = shifted(std::move(loop->body), offset);
    } else {
      std::get<std::uint32_t>(node) += offset;
    }
  }
  return nodes;
}

void addTime(const TimeResult& program, std::uint64_t times, TimeResult& time) {
  time.cycles += program.cycles * times;
  time.compute += program.compute * times;
  time.exchange += program.exchange * times;
  time.sync += program.sync * times;
  time.host += program.host * times;
  time.streaming += program.streaming * times;
}

void addCounts(const GraphCounts& program, GraphCounts& counts) {
  counts.variables += program.variables;
  counts.vertices += program.vertices;
  counts.edges += program.edges;
  counts.compute_sets += program.compute_sets;
  counts.exchanges += program.exchanges;
}

void addCycles(const TileResult& program, std::uint64_t times, TileResult& tile) {
  tile.compute += program.compute * times;
  tile.copy += program.copy * times;
  tile.exchange += program.exchange * times;
  tile.host += program.host * times;
  tile.streaming += program.streaming * times;
  tile.sync += program.sync * times;
  tile.idle += program.idle * times;
  tile.activity += program.activity * times;
}

/// Adds up the programs of layers.
class LayerJoin {
 public:
  LayerJoin(const Experiment& experiment, const std::vector<Result>& programs)
      : layers_(experiment.workload.layers),
        separate_(experiment.workload.separate),
        rounds_(experiment.workload.rounds),
        programs_(programs),
        first_step_(programs.size()) {}

  RunResult join() {
    const std::size_t fullest = findFullest();
    takeMemory(fullest);
    for (std::size_t l = 0; l < programs_.size(); ++l) addTimes(l);
    result_.time.seconds = secondsOf(result_.time.cycles, result_.machine.clock_hz);
    for (std::size_t l = 0; l < programs_.size(); ++l) addLayer(l);
    if (rounds_ > 1) {
      for (StepResult& step : result_.steps) step.end += one_round_ * (rounds_ - 1);
      ProgramLoop loop{rounds_, std::exchange(result_.program, {})};
      result_.program.emplace_back(std::move(loop));
    }
    for (const std::uint32_t step : programs_[fullest].positions) {
      result_.positions.push_back(step + first_step_[fullest]);
    }
    result_.separate->fullest = layers_[fullest].name;
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool isFirst(std::size_t layer) const { return separate_[layer].equal_to == layer; }
  [[nodiscard]] const Result& programOf(std::size_t layer) const {
    return programs_[separate_[layer].equal_to];
  }

  [[nodiscard]] std::size_t findFullest() const {
    const auto fullness = [this](std::size_t layer) {
      const Result& program = programOf(layer);
      const Bytes over = program.oom ? program.oom->bytes_over : Bytes(0);
      return std::pair(over, program.memory.max_tile_bytes);
    };
    std::size_t fullest = 0;
    for (std::size_t l = 1; l < programs_.size(); ++l) {
      if (isFirst(l) && fullness(fullest) < fullness(l)) fullest = l;
    }
    return fullest;
  }

  void takeMemory(std::size_t layer) {
    const Result& program = programs_[layer];
    result_.machine = program.machine;
    result_.oom = program.oom;
    result_.memory = program.memory;
    result_.liveness = program.liveness;
    result_.variables = program.variables;
    result_.tiles = program.tiles;
    for (TileResult& tile : result_.tiles) {
      tile.compute = tile.copy = tile.exchange = tile.host = Cycles(0);
      tile.streaming = tile.sync = tile.idle = Cycles(0);
      tile.activity = {};
    }
    result_.separate = SeparateResult{{}, layers_.size(), 0, 0, Bytes(0), rounds_};
  }

  void addTimes(std::size_t layer) {
    const Result& program = programOf(layer);
    if (isFirst(layer)) addSteps(layer);
    growSteps(layer);
    addTime(program.time, rounds_, result_.time);
    result_.activity += program.activity * rounds_;
    one_round_ += program.time.cycles;
    for (std::size_t t = 0; t < result_.tiles.size(); ++t) {
      addCycles(program.tiles[t], rounds_, result_.tiles[t]);
    }
    const std::uint32_t offset = first_step_[separate_[layer].equal_to];
    for (ProgramNode& node : shifted(program.program, offset)) {
      result_.program.push_back(std::move(node));
    }
  }

  /// Adds the steps of a program that no earlier layer has, without iterations.
  void addSteps(std::size_t layer) {
    const Result& program = programs_[layer];
    first_step_[layer] = static_cast<std::uint32_t>(result_.steps.size());
    for (StepResult step : program.steps) {
      step.start += one_round_;
      step.iterations = 0;
      step.cycles = Cycles(0);
      step.mean_cycles = 0;
      step.activity = {};
      result_.steps.push_back(std::move(step));
    }
    addCounts(program.graph, result_.graph);
    result_.engine.iterations_simulated += program.engine.iterations_simulated;
    result_.engine.tile_steps += program.engine.tile_steps;
    ++result_.separate->programs;
  }

  /// Counts the iterations of a layer, whose steps end where they do in the last layer of them.
  void growSteps(std::size_t layer) {
    const Result& program = programOf(layer);
    const std::uint32_t offset = first_step_[separate_[layer].equal_to];
    for (std::size_t s = 0; s < program.steps.size(); ++s) {
      const StepResult& step = program.steps[s];
      StepResult& sum = result_.steps[offset + s];
      sum.iterations += step.iterations * rounds_;
      sum.cycles += step.cycles * rounds_;
      sum.mean_cycles += step.mean_cycles * static_cast<double>(rounds_);
      sum.end = step.end + one_round_;
      sum.activity += step.activity * rounds_;
    }
  }

  void addLayer(std::size_t layer) {
    const Result& program = programOf(layer);
    LayerResult result = layerOfAll(layers_[layer], program.steps);
    for (Cycles* part :
         {&result.forward, &result.backward, &result.update, &result.compute, &result.movement}) {
      *part = *part * rounds_;
    }
    const std::string same_as = isFirst(layer) ? "" : layers_[separate_[layer].equal_to].name;
    result.program = LayerProgram{same_as,
                                  program.fits(),
                                  program.memory.max_tile_bytes,
                                  program.memory.total,
                                  separate_[layer].operands,
                                  program.time.cycles,
                                  program.time.seconds};
    result_.layers.push_back(std::move(result));
    result_.separate->operands += separate_[layer].operands;
    if (!program.fits()) ++result_.separate->do_not_fit;
  }

  const std::vector<workloads::LayerSummary>& layers_;
  const std::vector<SeparateProgram>& separate_;
  std::uint64_t rounds_;
  const std::vector<Result>& programs_;
  std::vector<std::uint32_t> first_step_;  ///< by layer with a program of its own
  Cycles one_round_;                       ///< of the layers so far
  RunResult result_;
};

}  // namespace

RunResult joinLayers(const Experiment& experiment, const std::vector<Result>& programs) {
  return LayerJoin(experiment, programs).join();
}

}  // namespace ipusim::run
