// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <numeric>
#include <set>

#include "ipusim/error.h"
#include "ipusim/verify.h"
#include "sim/compile/compile.h"
#include "sim/compile/lower/lower.h"
#include "sim/parallel/pipeline/stage_cost.h"
#include "sim/run/measure.h"
#include "sim/run/summary/summarize.h"

// The program of a section, compiled and simulated, and what its passes and its bytes are for.

namespace ipusim::parallel {

namespace {

using workloads::ModuleRange;
using workloads::Stage;

/// The variables of the tensors.
std::set<std::uint32_t> variablesOf(const std::vector<Tensor>& tensors) {
  std::set<std::uint32_t> variables;
  for (const Tensor& tensor : tensors) {
    variables.insert(static_cast<std::uint32_t>(indexOf(tensor.pieces().front().variable)));
  }
  return variables;
}

/// The bytes of some variables: one entry per tile.
std::vector<Bytes> bytesOf(const Result& result, const std::set<std::uint32_t>& variables) {
  std::vector<Bytes> bytes(result.tiles.size());
  for (const std::uint32_t v : variables) {
    for (const TileRun& run : result.variables.at(v).tiles) {
      for (std::uint32_t t = 0; t < run.tiles; ++t) bytes[run.first_tile + t] += run.bytes;
    }
  }
  return bytes;
}

/// The steps of one part of the program of `graph`.
std::size_t stepsOf(const Program& part, Graph& graph) {
  graph.program() = part;
  return compiler::stepsOf(graph);
}

/// Where the steps end to which the first `steps` steps of the graph are lowered.
std::uint32_t endOf(std::size_t steps, const compiler::CompiledGraph& compiled) {
  return steps == 0 ? 0 : compiled.step_ends.at(steps - 1);
}

/// How the passes follow each other in the program of a section.
enum class PassOrder : std::uint8_t {
  Looped,    ///< in one loop, as in a program that trains on one chip
  OneByOne,  ///< each in a loop of its own, so that only what backward passes read lives beyond one
  Once,      ///< in no loop, so that nothing lives around it and each tensor has one life
};

/// The program of the passes.
Program ordered(const std::array<Program, 3>& passes, PassOrder order) {
  const std::vector<Program> all(passes.begin(), passes.end());
  if (order == PassOrder::Looped) return sequence({repeat(1, all)});
  Program program;
  for (const Program& pass : passes) {
    if (std::get<Sequence>(pass.step).steps.empty()) continue;
    program.add(order == PassOrder::Once ? pass : repeat(1, {pass}));
  }
  return program;
}

PassOrder orderOf(const ParallelTraining& training) {
  if (training.spills) return PassOrder::Once;
  return training.sections() > 1 ? PassOrder::OneByOne : PassOrder::Looped;
}

/// The passes of a program. The forward pass begins at step 0. `backward` and `update` are the
/// first steps of the other two.
Passes passesOf(const Result& result, std::uint32_t backward, std::uint32_t update) {
  Passes passes;
  passes[0].last = passes[1].first = backward;
  passes[1].last = passes[2].first = update;
  passes[2].last = static_cast<std::uint32_t>(result.steps.size());
  Cycles begin;
  for (PassSteps& pass : passes) {
    pass.begin = pass.end = begin;
    for (std::uint32_t s = pass.first; s < pass.last; ++s) {
      pass.end = std::max(pass.end, result.steps[s].end);
    }
    if (pass.last == result.steps.size()) pass.end = result.time.cycles;
    begin = pass.end;
    const auto found =
        std::find_if(result.positions.begin(), result.positions.end(),
                     [&](std::uint32_t step) { return pass.first <= step && step < pass.last; });
    pass.position = static_cast<std::uint32_t>(found - result.positions.begin());
  }
  return passes;
}

void addStep(const StepResult& step, PassTime& time) {
  time.activity += step.activity;
  switch (step.kind) {
    case StepKind::Compute:
    case StepKind::OnTileCopy:
      time.compute_cycles += step.mean_cycles;
      break;
    case StepKind::Exchange:
      time.exchange_cycles += step.mean_cycles;
      break;
    case StepKind::HostCopy:
      time.host_cycles += step.mean_cycles;
      break;
    case StepKind::GlobalExchange:  // a stage is a program of one IPU
    case StepKind::RemoteBegin:     // whose memory is its own: offload is priced beside it
    case StepKind::RemoteEnd:
    case StepKind::Sync:
      break;
  }
}

PassTime timeOf(const Result& result, const PassSteps& pass) {
  PassTime time{Cycles(pass.end.value() - pass.begin.value())};
  for (std::uint32_t s = pass.first; s < pass.last; ++s) addStep(result.steps[s], time);
  return time;
}

/// What lives across the beginning of a pass: one entry per tile.
std::vector<Bytes> livingInto(const Result& result, std::uint32_t position) {
  std::vector<Bytes> bytes(result.tiles.size());
  for (const VariableResult& variable : result.variables) {
    if (variable.always_live || variable.first_position >= position ||
        variable.last_position < position) {
      continue;
    }
    for (const TileRun& run : variable.tiles) {
      for (std::uint32_t t = 0; t < run.tiles; ++t) bytes[run.first_tile + t] += run.bytes;
    }
  }
  return bytes;
}

/// The most that does not live always from one position to another: one entry per tile.
std::vector<Bytes> peakBetween(const Result& result, std::uint32_t first, std::uint32_t last) {
  std::vector<Bytes> of_curve;
  for (const LivenessCurve& curve : result.liveness.curves) {
    Bytes peak;
    for (std::size_t c = 0; c < curve.size(); ++c) {
      const std::uint32_t until = c + 1 < curve.size() ? curve[c + 1].position : last;
      if (curve[c].position < last && until > first) peak = std::max(peak, curve[c].bytes);
    }
    of_curve.push_back(peak);
  }
  std::vector<Bytes> peaks;
  for (const std::uint32_t curve : result.liveness.curve_of_tile) peaks.push_back(of_curve[curve]);
  return peaks;
}

bool isBuffer(const std::string& name) {
  constexpr std::array kPrefixes = {"send/", "collective/landing", "collective/gradients/landing",
                                    "collective/racks/landing"};
  return std::any_of(kPrefixes.begin(), kPrefixes.end(),
                     [&](const char* prefix) { return name.rfind(prefix, 0) == 0; });
}

/// The landing and send buffers. What a stage in the middle gets lies in `x` and `gradient`.
std::set<std::uint32_t> buffersOf(const Result& result, bool is_first) {
  std::set<std::uint32_t> buffers;
  for (std::uint32_t v = 0; v < result.variables.size(); ++v) {
    const VariableResult& variable = result.variables[v];
    if (!variable.always_live) continue;
    const bool lands = variable.name == "gradient" || (variable.name == "x" && !is_first);
    if (lands || isBuffer(variable.name)) buffers.insert(v);
  }
  return buffers;
}

std::vector<Tensor> weightsOf(const Stage& stage) {
  std::vector<Tensor> weights;
  for (const auto& parameter : stage.parameters()) weights.push_back(parameter.tensor);
  return weights;
}

/// The bytes that are no code, no table and no stack.
Bytes dataOf(const CategoryBytes& by) {
  return by[static_cast<std::size_t>(MemoryCategory::Variables)] +
         by[static_cast<std::size_t>(MemoryCategory::MessageBuffers)];
}

Bytes fetchedOf(const CategoryBytes& by) {
  Bytes bytes;
  for (std::size_t c = 0; c < by.size(); ++c) {
    if (isCode(static_cast<MemoryCategory>(c))) bytes += by[c];
  }
  return bytes;
}

/// The bytes of a stage without its stash, by what they are for.
HeldBytes heldBytes(const Result& result, const Stage& stage, bool is_first) {
  HeldBytes held{};
  const auto put = [&](Holding holding, const std::set<std::uint32_t>& variables) {
    held[static_cast<std::size_t>(holding)] = sumOf(bytesOf(result, variables));
  };
  put(Holding::Weights, variablesOf(weightsOf(stage)));
  put(Holding::Gradients, variablesOf(stage.accumulators()));
  put(Holding::OptimizerState, variablesOf(stage.states()));
  put(Holding::Buffers, buffersOf(result, is_first));
  const std::uint64_t named = std::accumulate(held.begin(), held.end(), Bytes(0)).value();
  const Bytes data = dataOf(result.memory.by_category);
  check(data.value() >= named, "variables of a stage");
  held[static_cast<std::size_t>(Holding::Working)] = Bytes(data.value() - named);
  held[static_cast<std::size_t>(Holding::Code)] = Bytes(result.memory.total.value() - data.value());
  return held;
}

}  // namespace

SectionProgram StageMeter::measured(ModuleRange range, const workloads::StageSharing& sharing) {
  Graph graph;
  const std::unique_ptr<Stage> stage = training_.network->stage(graph, ipu_, range, sharing);
  std::array<Program, 3> passes;
  stage->addForward(passes[0]);
  stage->addBackward(passes[1]);
  stage->addUpdate(passes[2]);
  SectionProgram measured;
  if (on_estimate_) {
    const run::HostWork work = run::hostWork(graph, ipu_.tiles);
    work_ = work_ + work;
    on_estimate_({work_, work});
  }
  const std::size_t forward = stepsOf(passes[0], graph);
  const std::size_t until_update = forward + stepsOf(passes[1], graph);
  graph.program() = ordered(passes, orderOf(training_));
  verify(graph, ipu_.tiles);
  const compiler::CompiledGraph compiled = compiler::compileAndRelease(graph, ipu_);
  const Result result = run::summarizeRun(graph, compiled.executable,
                                          run::measure(compiled.executable, engine_, nullptr));
  const Passes times = passesOf(result, endOf(forward, compiled), endOf(until_update, compiled));
  setTimes(result, times, measured);
  setTileBytes(result, *stage, measured);
  if (training_.spills) measured.waiting = waitingData(result, times[1].position);
  setBytes(graph, *stage, range, measured.cost);
  measured.cost.held = heldBytes(result, *stage, range.first == 0);
  if (result.oom) measured.oom = *result.oom;
  return measured;
}

void StageMeter::setTimes(const Result& result, const Passes& passes,
                          SectionProgram& measured) const {
  measured.cost.forward = timeOf(result, passes[0]).scaled(training_.pass_time_ratio);
  measured.cost.backward = timeOf(result, passes[1]).scaled(training_.pass_time_ratio);
  measured.cost.update = timeOf(result, passes[2]);
  const auto end = static_cast<std::uint32_t>(result.positions.size());
  measured.saved = livingInto(result, passes[1].position);
  measured.at_forward = peakBetween(result, 0, passes[1].position);
  measured.at_backward = peakBetween(result, passes[1].position, passes[2].position);
  measured.at_update = peakBetween(result, passes[2].position, end);
}

void StageMeter::setTileBytes(const Result& result, const Stage& stage, SectionProgram& measured) {
  measured.input = bytesOf(result, variablesOf(stage.inputs()));
  const std::vector<Tensor> read_again = stage.inputsOfBackward();
  measured.saves_input = !read_again.empty();
  const std::vector<Bytes> kept = bytesOf(result, variablesOf(read_again));
  for (std::size_t t = 0; t < kept.size(); ++t) measured.saved[t] += kept[t];
  measured.weights = bytesOf(result, variablesOf(weightsOf(stage)));
  measured.accumulators = bytesOf(result, variablesOf(stage.accumulators()));
  measured.optimizer = bytesOf(result, variablesOf(stage.states()));
  measured.cost.optimizer = sumOf(measured.optimizer);
  for (const TileResult& tile : result.tiles) {
    measured.tile_bytes.push_back(tile.total());
    measured.code.emplace_back(tile.total().value() - dataOf(tile.bytes).value());
    measured.fetched.push_back(fetchedOf(tile.bytes));
  }
}

void StageMeter::setBytes(const Graph& graph, const Stage& stage, ModuleRange range,
                          StageCost& cost) const {
  cost.sent_forward = training_.network->resultOf(range.last - 1);
  const std::uint64_t replicas = training_.rackReplicas();
  for (const auto& parameter : stage.parameters()) {
    const Variable& variable = graph.variable(parameter.tensor.pieces().front().variable);
    cost.gradients += roundUp(variable.elements, replicas) * sizeOf(variable.type);
  }
}

}  // namespace ipusim::parallel
