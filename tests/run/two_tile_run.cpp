// SPDX-License-Identifier: Apache-2.0
#include "tests/run/two_tile_run.h"

#include <nlohmann/json.hpp>

#include "sim/run/summary/summarize.h"

namespace ipusim::run {

using namespace ipusim::literals;
using compiler::Executable;
using compiler::Loop;
using compiler::Step;
using compiler::TileMemory;

namespace {

/// Steps in program order.
constexpr std::uint32_t kSync = 0;
constexpr std::uint32_t kIn = 1;
constexpr std::uint32_t kMul = 2;
constexpr std::uint32_t kKeep = 3;
constexpr std::uint32_t kOut = 4;
constexpr std::uint32_t kSteps = 5;

Step stepOf(const char* name, StepKind kind) {
  Step step;
  step.name = name;
  step.kind = kind;
  return step;
}

TileMemory tileMemory(Bytes variables, Bytes code, Bytes buffers, Bytes highest_address) {
  TileMemory tile;
  tile.at_peak[static_cast<std::size_t>(MemoryCategory::Variables)] = variables;
  tile.at_peak[static_cast<std::size_t>(MemoryCategory::VertexCode)] = code;
  tile.at_peak[static_cast<std::size_t>(MemoryCategory::MessageBuffers)] = buffers;
  tile.always_live = variables + code;
  tile.peak_not_always_live = buffers;
  tile.highest_address = highest_address;
  return tile;
}

/// One variable is on both tiles for the whole run, one is on tile 1 from the exchange to the
/// compute.
void addVariables(Experiment& experiment) {
  Graph& graph = experiment.workload.graph;
  graph.addVariable(ElementType::Float, {125}, "weights", Lifetime::Always);
  graph.addVariable(ElementType::Half, {5, 4}, "in, cast");
  Executable& executable = experiment.executable;
  executable.lowered.blocks = {{TileId(0), VariableId{0}, 300_B, MemoryCategory::Variables},
                               {TileId(1), VariableId{0}, 200_B, MemoryCategory::Variables},
                               {TileId(1), VariableId{1}, 40_B, MemoryCategory::Variables}};
  executable.lowered.blocks[0].always_live = true;
  executable.lowered.blocks[1].always_live = true;
  executable.lowered.blocks[2].live = {{kIn, kMul}};
  executable.lowered.share_of = {{BlockId{0}, BlockId{1}}, {compiler::kNoBlock, BlockId{2}}};
}

}  // namespace

Experiment twoTileExperiment() {
  Experiment experiment;
  experiment.config =
      ConfigValues({{"machine", "hand"}, {"workload", {{"kind", "example"}, {"m", 3U}}}});
  experiment.workload_kind = "example";
  experiment.parameters = {{"m", "3"}, {"type", "float"}};
  experiment.workload.flops = Flops(600);
  experiment.workload.peak_flops_per_cycle = 10;

  Executable& executable = experiment.executable;
  executable.system.ipu.name = "hand";
  executable.system.ipu.tiles = 2;
  executable.system.ipu.sram_per_tile = Bytes(1000);
  executable.system.ipu.code_region = Bytes(500);
  executable.system.ipu.clock_hz = 1e9;
  executable.programs.chips.resize(1);
  executable.programs.chip_of_ipu = {0};
  executable.lowered.steps = {stepOf("in/sync", StepKind::Sync), stepOf("in", StepKind::Exchange),
                              stepOf("mul", StepKind::Compute),
                              stepOf("keep", StepKind::OnTileCopy),
                              stepOf("out", StepKind::Exchange)};
  executable.lowered.control = {StepId{kSync}, StepId{kIn}, Loop{3, {StepId{kMul}, StepId{kKeep}}},
                                StepId{kOut}};
  executable.lowered.positions = {StepId{kSync}, StepId{kIn}, StepId{kMul}, StepId{kKeep},
                                  StepId{kOut}};
  executable.traffic.volumes.resize(kSteps);
  executable.traffic.volumes[kIn] = {Bytes(64), Bytes(48), 2, {}};
  executable.memory.tiles = {tileMemory(300_B, 100_B, 50_B, 480_B),
                             tileMemory(200_B, 100_B, 250_B, 640_B)};
  executable.memory.liveness = {
      {{{1, 5_B}, {2, 50_B}, {3, 10_B}, {4, 0_B}}, {{1, 5_B}, {2, 250_B}, {3, 10_B}, {4, 0_B}}},
      {0, 1}};
  addVariables(experiment);
  return experiment;
}

ChipResult twoTileMeasurement() {
  ChipResult measured;
  measured.tiles = 2;
  // One line per step: tile 0, tile 1.
  measured.busy = {Cycles(10), Cycles(10),   // in/sync
                   Cycles(20), Cycles(21),   // in
                   Cycles(60), Cycles(60),   // mul
                   Cycles(5),  Cycles(9),    // keep
                   Cycles(5),  Cycles(20)};  // out
  measured.spans = {{Cycles(0), Cycles(10)},
                    {Cycles(10), Cycles(31)},
                    {Cycles(30), Cycles(97)},
                    {Cycles(50), Cycles(100)},
                    {Cycles(95), Cycles(120)}};
  measured.finish = {Cycles(100), Cycles(120)};
  measured.end = Cycles(120);
  measured.iterations_simulated = 2;
  measured.tile_steps = 14;
  return measured;
}

RunResult twoTileResult() {
  RunResult result = summarize(twoTileExperiment(), {twoTileMeasurement(), {}});
  result.engine.kind = Engine::ClosedForm;
  result.engine.wall_seconds = 0.5;
  return result;
}

OutOfMemory tileOneIsFull() {
  return {1, "mul", MemoryCategory::Variables, Bytes(24), 3, "weights", Bytes(200)};
}

}  // namespace ipusim::run
