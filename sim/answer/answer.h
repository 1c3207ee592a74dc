// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <variant>

#include "base/config/config_reader.h"
#include "base/text/json.h"
#include "ipusim/result.h"
#include "sim/answer/run_kind.h"
#include "sim/parallel/pipeline/prediction.h"
#include "sim/report/page/page.h"
#include "sim/report/text/gpu_alone.h"
#include "sim/report/text/table_options.h"
#include "sim/run/compile_cache.h"
#include "sim/run/simulate.h"

// The one door from a config to what its run takes. Commands, studies and the library go through
// it.

namespace ipusim::answer {

/// A program on one or several IPUs. Layers that are programs of their own have
/// `result.separate`.
struct ProgramAnswer {
  run::RunResult result;
  run::RunWork work;  ///< of the computer that made the answer, by its estimate
};

/// Stages, replicas and shards.
struct ParallelAnswer {
  parallel::ParallelTraining training;
  parallel::ParallelPrediction prediction;
};

/// A program on a GPU without an IPU.
struct GpuAnswer {
  report::GpuExperiment experiment;
  run::CompareResult result;
};

using Answer = std::variant<ProgramAnswer, ParallelAnswer, GpuAnswer>;

/// How an answer is made.
struct AnswerOptions {
  Engine engine = Engine::ClosedForm;
  /// Called with the estimated work of each program before it is compiled. What it throws passes.
  run::OnWorkEstimate on_estimate = {};
  /// Keeps a compiled program for the next answer. May be null.
  run::CompileCache* cache = nullptr;
  /// Simulates a program. None: run::simulate() does, without an observer and without detail.
  std::function<run::RunResult(const run::Experiment&)> simulate = {};
};

/// Reads all of `config` and makes its answer. With Engine::SystemC, must not be called from two
/// threads. Throws ConfigError for anything in the config that is wrong, unknown or too large for
/// this computer, and when the engine cannot run its machine.
Answer answerOf(const ConfigReader& config, const AnswerOptions& options = {});

/// The object that `ipusim run --json` prints.
Json jsonOf(const Answer& answer);
std::string jsonTextOf(const Answer& answer, report::Stats stats = report::Stats::Without);

/// The report page of an answer. None for a GPU.
std::optional<report::PageKind> pageKindOf(const Answer& answer);
/// What that page is drawn from; null without a page.
Json pageDataOf(const Answer& answer);

/// The answer for people.
std::string textOf(const Answer& answer, const report::TableOptions& options = {});

}  // namespace ipusim::answer
