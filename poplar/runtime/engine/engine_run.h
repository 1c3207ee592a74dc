// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "poplar/runtime/engine/engine_data.h"

namespace poplar::detail {

/// Runs a program on a loaded engine, step by step: numbers and time together.
class EngineRun {
 public:
  /// The engine must be loaded, and outlive this.
  explicit EngineRun(EngineData& engine) : engine_(engine), loaded_(*engine.loaded) {}

  /// Throws application_runtime_error where a codelet goes astray and where the program aborts.
  void run(const ProgramData& program);

 private:
  void play(const ProgramData& step);
  void repeat(const ProgramData& step);
  void runSteps(const ProgramData& step);
  void advance(std::uint32_t step);
  void meet();
  void execute(const ProgramData& step);
  void streamIn(const ProgramData& step);
  void streamOut(const ProgramData& step);
  void repeatWhile(const ProgramData& step);
  void choose(const ProgramData& step);
  void print(const ProgramData& step);
  void abort(const ProgramData& step);
  void stamp(const ProgramData& step);
  static void say(const std::string& text);
  [[nodiscard]] std::int64_t decision(const ProgramData& step);

  EngineData& engine_;
  LoadedProgram& loaded_;
  /// What the clock played since a Repeat began to take note; null where none does.
  std::vector<std::uint32_t>* note_ = nullptr;
};

}  // namespace poplar::detail
