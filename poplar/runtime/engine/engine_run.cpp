// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/engine/engine_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <utility>

#include "poplar/exceptions.hpp"
#include "poplar/runtime/graph/element_bytes.h"
#include "poplar/runtime/graph/tensor_text.h"

namespace poplar::detail {

using ipusim::Cycles;
using ipusim::StepId;
using ipusim::VertexPlace;

void EngineRun::run(const ProgramData& program) {
  try {
    play(program);
  } catch (const ipusim::codelets::CodeletFault& fault) {
    throw application_runtime_error(fault.what());
  } catch (const ipusim::GraphError& error) {
    throw application_runtime_error(error.what());
  }
}

void EngineRun::play(const ProgramData& step) {
  switch (step.kind) {
    case ProgramKind::Sequence:
      for (const Ref<ProgramData>& inner : step.steps) play(*inner);
      return;
    case ProgramKind::Execute:
      return execute(step);
    case ProgramKind::LibraryExecute:
    case ProgramKind::Copy:
    case ProgramKind::LibraryCopy:
    case ProgramKind::RemoteIn:
    case ProgramKind::RemoteOut:
      return runSteps(step);
    case ProgramKind::StreamIn:
      return streamIn(step);
    case ProgramKind::StreamOut:
      return streamOut(step);
    case ProgramKind::Repeat:
      return repeat(step);
    case ProgramKind::RepeatWhile:
      return repeatWhile(step);
    case ProgramKind::If:
      return play(*step.steps[decision(step) != 0 ? 0 : 1]);
    case ProgramKind::Switch:
      return choose(step);
    case ProgramKind::Call:
      return play(*engine_.executable->functions[step.number]);
    case ProgramKind::Print:
      return print(step);
    case ProgramKind::WriteUndef:
      return;
    case ProgramKind::Sync:
      return meet();
    case ProgramKind::Abort:
      return abort(step);
    case ProgramKind::CycleStamp:
      return stamp(step);
    case ProgramKind::HostCall:
      return engine_.host_calls[step.number].run();
  }
}

/// Runs the steps that a step of the program became.
void EngineRun::runSteps(const ProgramData& step) {
  const StepRange range = engine_.executable->rangeOf(step);
  for (std::uint32_t s = range.first; s < range.end; ++s) {
    const auto id = static_cast<StepId>(s);
    loaded_.runner.run(id, [&](const VertexPlace& place, std::uint32_t run, Cycles cycles) {
      loaded_.clock.setCycles(id, place.tile.tile(), run, cycles);
    });
    const bool is_compute =
        engine_.executable->executable.lowered.steps[s].kind == ipusim::StepKind::Compute;
    if (loaded_.codelets && is_compute) {
      loaded_.codelet_activity.set(id, loaded_.codelets->takeActivity());
    }
    advance(s);
  }
}

void EngineRun::advance(std::uint32_t step) {
  if (note_ != nullptr) note_->push_back(step);
  loaded_.clock.play(static_cast<StepId>(step));
  loaded_.codelet_activity.play(static_cast<StepId>(step));
}

void EngineRun::meet() {
  if (note_ != nullptr) note_->push_back(ipusim::models::StepRecord::kBarrier);
  loaded_.clock.sync();
}

/// Where the user asked for it, the first iterations are computed, and those behind them take the
/// steps of the last of these on the clock alone.
void EngineRun::repeat(const ProgramData& step) {
  const std::uint64_t computed = std::min(step.number, engine_.functional_steps);
  if (computed == step.number) {
    for (std::uint64_t i = 0; i < step.number; ++i) play(*step.steps[0]);
    return;
  }
  for (std::uint64_t i = 0; i + 1 < computed; ++i) play(*step.steps[0]);
  std::vector<std::uint32_t>* const outer = std::exchange(note_, nullptr);
  std::vector<std::uint32_t> last;
  note_ = &last;
  play(*step.steps[0]);
  note_ = outer;
  if (outer != nullptr) outer->insert(outer->end(), last.begin(), last.end());
  for (std::uint64_t i = computed; i < step.number; ++i) {
    for (const std::uint32_t played : last) {
      if (played == ipusim::models::StepRecord::kBarrier) {
        meet();
      } else {
        advance(played);
      }
    }
  }
  engine_.iterations_not_computed += step.number - computed;
}

void EngineRun::execute(const ProgramData& step) {
  if (loaded_.codelets) loaded_.codelets->beginStep();
  runSteps(step);
  if (!loaded_.codelets) return;
  say(loaded_.codelets->takePrinted());
  if (!step.to) return;
  const bool all_true = loaded_.codelets->allTrue();
  loaded_.access.write(*step.to, converted({TypeId::Bool, &all_true, 1}, step.to->type).data());
}

void EngineRun::streamIn(const ProgramData& step) {
  std::vector<std::byte> elements(step.to->elements() * bytesOf(step.to->type));
  engine_.streams[step.number].transfer(elements, engine_.prefetches);
  loaded_.access.write(*step.to, elements.data());
  runSteps(step);
}

void EngineRun::streamOut(const ProgramData& step) {
  runSteps(step);
  std::vector<std::byte> elements = loaded_.access.read(*step.from);
  engine_.streams[step.number].transfer(elements, engine_.prefetches);
}

/// The number that decides, which goes to all tiles first.
std::int64_t EngineRun::decision(const ProgramData& step) {
  runSteps(step);
  return wholeNumber(step.from->type, loaded_.access.read(*step.from).data());
}

void EngineRun::repeatWhile(const ProgramData& step) {
  play(*step.steps[0]);
  while ((decision(step) != 0) == step.is_true) {
    play(*step.steps[1]);
    play(*step.steps[0]);
  }
}

void EngineRun::choose(const ProgramData& step) {
  const std::int64_t value = decision(step);
  const auto found = std::find(step.cases.begin(), step.cases.end(), value);
  const auto index = static_cast<std::size_t>(found - step.cases.begin());
  play(*step.steps[found == step.cases.end() ? 0 : index + 1]);
}

void EngineRun::print(const ProgramData& step) {
  const TensorData& tensor = *step.from;
  const std::vector<std::byte> elements = loaded_.access.read(tensor);
  const std::string text = step.text + ": " + tensorText(tensor, elements) + "\n";
  if (engine_.print) return write(*engine_.print, text);
  std::fputs(text.c_str(), stderr);
}

void EngineRun::abort(const ProgramData& step) {
  if (step.from && decision(step) == 0) return;
  throw application_runtime_error(
      fmt::format("Abort: {}", step.text.empty() ? "the program ends itself" : step.text).c_str());
}

void EngineRun::stamp(const ProgramData& step) {
  meet();
  const ipusim::Section first = step.to->view.view().front();
  const auto& mapping = engine_.executable->graph.variable(first.variable).mapping.intervals();
  std::uint64_t cycles = loaded_.clock.now(mapping.front().tile.tile()).value();
  if (step.from) {
    std::uint64_t since = 0;
    loaded_.access.read(*step.from, reinterpret_cast<std::byte*>(&since));
    cycles -= since;
  }
  loaded_.access.write(*step.to, reinterpret_cast<const std::byte*>(&cycles));
}

/// What codelets print goes to the host's console.
void EngineRun::say(const std::string& text) {
  if (text.empty()) return;
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

}  // namespace poplar::detail
