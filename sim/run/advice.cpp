// SPDX-License-Identifier: Apache-2.0
#include "sim/run/advice.h"

#include <algorithm>

#include "sim/run/remedies.h"
#include "sim/run/simulate.h"

namespace ipusim::run {

namespace {

enum class Outcome : std::uint8_t { Fits, DoesNotFit, CannotBe, TooCostly };

class AdviceSearch {
 public:
  AdviceSearch(const ReadConfig& read, const HostLimits& limits) : read_(read), limits_(limits) {}

  void tryAll(const std::vector<Remedy>& remedies) {
    for (const Remedy& remedy : remedies) tryOne(remedy);
  }

  [[nodiscard]] const Advice& advice() const { return advice_; }

 private:
  void tryOne(const Remedy& remedy) {
    for (const Change& change : remedy.changes) {
      const Outcome outcome = run(remedy.kind, change);
      if (outcome == Outcome::TooCostly) ++advice_.left_out;
      if (outcome == Outcome::Fits || outcome == Outcome::DoesNotFit) ++advice_.tried;
      if (outcome == Outcome::Fits) return;
    }
  }

  Outcome run(const std::string& kind, const Change& change) {
    bool too_costly = false;
    double cost_of_run = 0;
    const auto hear = [&](const RunWork& work) {
      const HostCost cost = hostCost(work, Engine::ClosedForm);
      cost_of_run = cost.seconds;
      too_costly = limits_.seconds && spent_ + cost.seconds > *limits_.seconds;
      too_costly = too_costly || (limits_.memory && cost.memory > *limits_.memory);
      if (too_costly) throw ConfigError("a run over the limits of the search");
    };
    try {
      const RunResult result = simulate(prepare(read_(change.overrides), hear), Engine::ClosedForm);
      spent_ += cost_of_run;
      if (!result.fits()) return Outcome::DoesNotFit;
      keep(kind, change, result);
      return Outcome::Fits;
    } catch (const ConfigError&) {
      // A change may ask for what the workload cannot be: then it is no advice.
      return too_costly ? Outcome::TooCostly : Outcome::CannotBe;
    }
  }

  void keep(const std::string& kind, const Change& change, const RunResult& result) {
    Bytes fullest;
    for (const TileResult& tile : result.tiles) fullest = std::max(fullest, tile.including_gaps);
    const double seconds = result.training ? result.training->seconds : result.time.seconds;
    advice_.changes.push_back(
        {kind, change.words, change.overrides, fullest, result.machine.sram_per_tile, seconds});
  }

  const ReadConfig& read_;
  HostLimits limits_;
  double spent_ = 0;
  Advice advice_;
};

}  // namespace

Advice adviceFor(const ConfigReader& config, const ReadConfig& read, const HostLimits& limits) {
  const std::vector<Remedy> remedies = remediesFor(config);
  AdviceSearch search(read, limits);
  search.tryAll(remedies);
  if (search.advice().changes.empty() && !remedies.empty()) {
    search.tryAll(together(remedies.front(), remedies));
  }
  return search.advice();
}

}  // namespace ipusim::run
