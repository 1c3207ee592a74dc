// SPDX-License-Identifier: Apache-2.0
#include "ipusim/predict.h"

#include <chrono>

#include "ipusim/verify.h"
#include "sim/compile/compile.h"
#include "sim/run/measure.h"
#include "sim/run/summary/summarize.h"

namespace ipusim {

namespace {

WorkResult workOf(Flops flops, const TimeResult& time) {
  WorkResult work;
  work.flops = flops;
  if (time.cycles > Cycles(0)) {
    work.flops_per_second = static_cast<double>(flops.value()) / time.seconds;
  }
  return work;
}

}  // namespace

Result predict(const Graph& graph, const Machine& machine, Engine engine, Observer* observer) {
  verify(graph, machine.tiles);
  const compiler::Executable executable = compiler::compile(graph, machine);
  const auto begin = std::chrono::steady_clock::now();
  const run::Measured measured = run::measure(executable, engine, observer);
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begin;
  Result result = run::summarizeRun(graph, executable, measured);
  result.work = workOf(graph.flops(graph.program()), result.time);
  result.engine.kind = engine;
  result.engine.wall_seconds = wall.count();
  return result;
}

}  // namespace ipusim
