// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/words.h"
#include "ipusim/result.h"
#include "sim/studies/validate/measurement.h"

namespace ipusim::validate {

enum class Status : std::uint8_t {
  Ok,
  DoesNotFit,      ///< none of the row's runs fits the machine
  NotExpressible,  ///< this version knows no such workload, key, value or metric
  Failed,          ///< a bug of ours
};

constexpr Words<Status, 4> kStatusWords{{{Status::Ok, "ok"},
                                         {Status::DoesNotFit, "does_not_fit"},
                                         {Status::NotExpressible, "not_expressible"},
                                         {Status::Failed, "failed"}}};
inline const char* nameOf(Status status) {
  return wordOf(status, kStatusWords);
}

/// What came of a measurement.
struct Verdict {
  std::string id;
  std::string kind;
  std::string unit;
  double published = 0;
  Status status = Status::Ok;
  std::optional<double> predicted;  ///< there where the status is ok
  std::string note;                 ///< why it is not ok, one line
  Role role = Role::Validate;
  /// The kind of prediction as the run calls it, where the metric is a number of one run.
  std::string prediction = {};

  /// 100 (predicted - published) / |published|, where there is a prediction.
  [[nodiscard]] std::optional<double> errorPercent() const;
};

/// The result of a run, as run::toJson makes it. May throw ConfigError: not expressible.
using Simulate = std::function<nlohmann::ordered_json(const std::filesystem::path& config,
                                                      const std::vector<Override>& overrides)>;

/// Holds one measurement against its runs: the best value of those that fit. Throws nothing that
/// concerns this row alone.
Verdict evaluate(const Measurement& measurement, const Simulate& simulate);

/// The same for all of them, each run simulated once. `started` is told of each before it begins.
std::vector<Verdict> validate(const std::vector<Measurement>& measurements, Engine engine,
                              const std::function<void(const Measurement&)>& started);

}  // namespace ipusim::validate
