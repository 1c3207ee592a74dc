// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/config/words.h"
#include "ipusim/result.h"
#include "sim/run/spread.h"
#include "sim/studies/validate/measurement.h"
#include "sim/studies/validate/run_store.h"

namespace ipusim::validate {

enum class Status : std::uint8_t {
  Ok,
  DoesNotFit,      ///< none of the row's runs fits the machine
  NotExpressible,  ///< this version knows no such workload, key, value or metric
  Failed,          ///< a bug of this project
};

constexpr Words<Status, 4> kStatusWords{{{Status::Ok, "ok"},
                                         {Status::DoesNotFit, "does_not_fit"},
                                         {Status::NotExpressible, "not_expressible"},
                                         {Status::Failed, "failed"}}};
inline const char* nameOf(Status status) {
  return wordOf(status, kStatusWords);
}

/// The result of a comparison with a measurement.
struct Verdict {
  std::string id;
  std::string kind;
  std::string unit;
  double published = 0;
  Status status = Status::Ok;
  /// Present when the status is ok, and beside DoesNotFit for several IPUs: their stages are timed
  /// whether they fit or not.
  std::optional<double> predicted;
  std::string note;  ///< one line that says why the status is not ok
  Role role = Role::Validate;
  /// The kind of prediction, as the run names it. Set when the metric is a number of one run.
  std::string prediction = {};
  /// On several IPUs: the kind that the computing of the run has on one IPU.
  std::string computing = {};
  /// The share of the time that has this kind of prediction. Below 1 for a run on several IPUs,
  /// whose kind is that of links.
  double share = 1;
  /// Sizes of the run whose number this is; empty for a mean over runs.
  run::Sizes sizes = {};
  std::string machine = {};  ///< as the row labels it
  std::string source = {};   ///< who published the number, and where

  /// 100 (predicted - published) / |published|, when there is a prediction.
  [[nodiscard]] std::optional<double> errorPercent() const;
};

/// Runs a config and returns the result. A ConfigError means that the
/// measurement is not expressible.
using Simulate = std::function<RunFigures(const std::filesystem::path& config,
                                          const std::vector<Override>& overrides)>;

/// Compares one measurement with its runs: the best value of the runs that fit counts. Errors of
/// this row become its status and never an exception.
Verdict evaluate(const Measurement& measurement, const Simulate& simulate);

/// How measurements are validated.
struct ValidateOptions {
  Engine engine = Engine::ClosedForm;
  std::uint64_t threads = 1;  ///< how many compute runs; one with Engine::SystemC
  /// Called after each run, from one thread at a time.
  std::function<void(std::size_t done, std::size_t all)> done = {};
};

/// Evaluates all measurements and simulates each run once.
std::vector<Verdict> validate(const std::vector<Measurement>& measurements,
                              const ValidateOptions& options);

}  // namespace ipusim::validate
