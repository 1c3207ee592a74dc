// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <map>
#include <utility>

#include "sim/interop/profiles/profile_json.h"
#include "sim/interop/profiles/vendor_words.h"

namespace ipusim::interop {

namespace {

/// Counts how often a step ran and for how long. Begins with a step that has not run.
void count(RecordedStep& step, std::optional<Cycles> cycles) {
  step.iterations = checkedSum(step.iterations.value_or(0), std::uint64_t{1});
  if (cycles) step.cycles = step.cycles.value_or(Cycles(0)) + *cycles;
}

/// The step of a program; nothing for a program that only runs others.
std::optional<std::size_t> stepOf(const JsonReader& program, const GraphProfile& graph) {
  const std::uint64_t number = program.count();
  if (number >= graph.step_of_program.size()) {
    program.fail(fmt::format("the number of one of {} programs", graph.step_of_program.size()));
  }
  return graph.step_of_program[number];
}

void readProgramTrace(const JsonReader& trace, GraphProfile& graph) {
  for (std::size_t i = 0; i < trace.size(); ++i) {
    if (const auto step = stepOf(trace[i], graph)) {
      count(graph.recording.steps[*step], std::nullopt);
    }
  }
}

/// Finds the steps that run, and adds those that the graph profile does not have.
class StepFinder {
 public:
  explicit StepFinder(GraphProfile& graph) : graph_(graph) {
    for (std::size_t i = 0; i < graph.recording.steps.size(); ++i) {
      const RecordedStep& step = graph.recording.steps[i];
      by_name_.emplace(std::pair(step.name, step.kind), i);
    }
  }

  std::size_t find(const JsonReader& step) {
    if (const auto program = step.find("program")) {
      if (const auto index = stepOf(*program, graph_)) return *index;
    }
    const std::string type = step.at("type").text();
    const auto name = step.find("name");
    return find(name ? name->text() : type, stepKindOf(type));
  }

 private:
  std::size_t find(const std::string& name, StepKind kind) {
    std::vector<RecordedStep>& steps = graph_.recording.steps;
    const auto [known, is_new] = by_name_.emplace(std::pair(name, kind), steps.size());
    if (is_new) {
      RecordedStep step;
      step.name = name;
      step.kind = kind;
      steps.push_back(std::move(step));
    }
    return known->second;
  }

  GraphProfile& graph_;
  std::map<std::pair<std::string, StepKind>, std::size_t> by_name_;
};

/// The steps that ran, in the order in which they first did, before those that never ran.
void putInOrder(const std::vector<std::size_t>& first_runs, Recording& recording) {
  std::vector<RecordedStep> ordered;
  std::vector<bool> taken(recording.steps.size(), false);
  const auto take = [&](std::size_t index) {
    if (!taken[index]) ordered.push_back(std::move(recording.steps[index]));
    taken[index] = true;
  };
  for (const std::size_t index : first_runs) take(index);
  for (std::size_t index = 0; index < taken.size(); ++index) take(index);
  recording.steps = std::move(ordered);
}

void readSteps(const JsonReader& steps, GraphProfile& graph) {
  Recording& recording = graph.recording;
  for (RecordedStep& step : recording.steps) step.iterations = 0;
  StepFinder finder(graph);
  std::vector<std::size_t> runs;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    runs.push_back(finder.find(steps[i]));
    const auto cycles = steps[i].find("cycles");
    std::optional<Cycles> counted;
    if (cycles) counted = Cycles(cycles->count());
    count(recording.steps[runs.back()], counted);
  }
  putInOrder(runs, recording);
}

void readSimulation(const JsonReader& simulation, GraphProfile& graph) {
  Recording& recording = graph.recording;
  if (const auto cycles = simulation.find("cycles")) {
    recording.figures["time"]["cycles"] = cycles->count();
  }
  if (const auto steps = simulation.find("steps")) readSteps(*steps, graph);
  nameUnread(simulation, "simulation", {"cycles", "steps"}, recording);
}

void readComputeSetCycles(const JsonReader& cycles, GraphProfile& graph) {
  if (cycles.size() != graph.compute_sets) {
    cycles.fail(fmt::format("one entry for each of {} compute sets", graph.compute_sets));
  }
  Recording& recording = graph.recording;
  for (std::size_t i = 0; i < graph.compute_sets; ++i) {
    recording.steps[i].cycles_by_tile = readByTile(cycles[i], recording);
  }
}

}  // namespace

void readExecutionProfile(const JsonReader& json, GraphProfile& graph) {
  Recording& recording = graph.recording;
  if (const auto cycles = json.find("computeSetCyclesByTile")) {
    readComputeSetCycles(*cycles, graph);
  }
  const auto simulation = json.find("simulation");
  const auto trace = json.find("programTrace");
  if (trace && !(simulation && simulation->find("steps"))) readProgramTrace(*trace, graph);
  if (simulation) readSimulation(*simulation, graph);
  nameUnread(json, "", {"computeSetCyclesByTile", "programTrace", "simulation"}, recording);
}

}  // namespace ipusim::interop
