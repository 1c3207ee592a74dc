// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/config/config_reader.h"
#include "base/text/json.h"
#include "ipusim/result.h"
#include "sim/answer/outcome.h"

namespace ipusim::validate {

/// A config with overrides.
struct StoredRun {
  std::filesystem::path config;
  std::vector<Override> overrides;
};

/// A result as JSON, and what studies compare of it.
struct RunFigures {
  Json json;
  answer::Outcome outcome;
};

RunFigures figuresOf(const answer::Answer& answer);

/// Results of runs by the config as read. Measurements share many runs; each is simulated once.
class RunStore {
 public:
  explicit RunStore(Engine engine) : engine_(engine) {}

  /// The result, valid as long as the store. Throws what answer::answerOf throws.
  const RunFigures& resultOf(const std::filesystem::path& config,
                             const std::vector<Override>& overrides);

  /// Keeps a result that is known: resultOf() gives it for this run.
  void add(const ConfigReader& config, RunFigures result);

  /// Computes the runs that have no result yet, on up to `threads` threads; the engine must be the
  /// closed form if that is more than one. Calls `done`, if any, after each of them, from one
  /// thread at a time. A run that ends with an error gets no result: resultOf() throws the error.
  void compute(const std::vector<StoredRun>& runs, std::uint64_t threads,
               const std::function<void(std::size_t done, std::size_t all)>& done);

  /// How many runs have a result so far.
  [[nodiscard]] std::size_t size() const { return results_.size(); }

 private:
  Engine engine_;
  std::map<std::string, RunFigures> results_;
};

}  // namespace ipusim::validate
