// SPDX-License-Identifier: Apache-2.0
#include "sim/run/advice/advice_search.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "base/error_boundary.h"
#include "base/process/memory_cap.h"
#include "sim/run/simulate.h"

namespace ipusim::run {

namespace {

enum class Outcome : std::uint8_t { Fits, DoesNotFit, CannotBe, TooCostly };

/// Ends the building of a run that goes over the limits of the search.
class SearchOverLimits : public std::exception {};

/// What the runs of a search took, and whether it may go on.
class Budget {
 public:
  explicit Budget(const HostLimits& limits) : limits_(limits) {}

  /// Counts the estimated cost of a run. Throws SearchOverLimits, without counting, for one too
  /// many.
  void take(const HostCost& cost) {
    if (isOver(cost)) throw SearchOverLimits();
    spent_ += cost.seconds;
  }

  /// Whether a run of that cost is one too many.
  [[nodiscard]] bool isOver(const HostCost& cost) const {
    if (limits_.memory && cost.memory > *limits_.memory) return true;
    return limits_.seconds && spent_ + cost.seconds > *limits_.seconds;
  }

  /// Building runs that are then too costly takes time that no estimate counts.
  [[nodiscard]] bool isSpent() const {
    const std::chrono::duration<double> taken = Clock::now() - begin_;
    return limits_.seconds && taken.count() >= kHostCostAccuracy * *limits_.seconds;
  }

 private:
  using Clock = std::chrono::steady_clock;

  HostLimits limits_;
  double spent_ = 0;
  Clock::time_point begin_ = Clock::now();
};

class AdviceSearch {
 public:
  AdviceSearch(const ConfigReader& config, const HostLimits& limits, const HostCost& own)
      : config_(config), limits_(limits), own_(own), budget_(limits) {}

  void tryAll(const std::vector<Remedy>& remedies) {
    for (const Remedy& remedy : remedies) tryOne(remedy);
  }

  [[nodiscard]] const Advice& advice() const { return advice_; }

 private:
  void tryOne(const Remedy& remedy) {
    // Building a run that is then too costly can itself take long.
    bool is_too_costly = false;
    for (const Change& change : remedy.changes) {
      is_too_costly |= budget_.isSpent();
      const bool is_left_out = is_too_costly || isExpectedOver(remedy, change);
      const Outcome outcome = is_left_out ? Outcome::TooCostly : run(remedy.kind, change);
      if (outcome == Outcome::TooCostly) ++advice_.left_out;
      if (remedy.later_costs == LaterCosts::NoLess) is_too_costly |= outcome == Outcome::TooCostly;
      if (outcome == Outcome::Fits || outcome == Outcome::DoesNotFit) ++advice_.tried;
      if (outcome == Outcome::Fits) return;
    }
  }

  /// Building a network can take as long as all advice may.
  [[nodiscard]] bool isExpectedOver(const Remedy& remedy, const Change& change) const {
    const HostCost expected{own_.seconds / static_cast<double>(change.runs),
                            Bytes(own_.memory.value() / change.runs)};
    return remedy.cost == ChangedCost::InProportion && budget_.isOver(expected);
  }

  /// A change may ask for what the workload or 64 bits cannot be: then it is no advice.
  Outcome run(const std::string& kind, const Change& change) {
    const auto run_it = [&] {
      return resultOrNone<ConfigError, GraphError, CountError>([&] { return tried(kind, change); });
    };
    return resultOrNone<SearchOverLimits, std::bad_alloc>(run_it)
        .value_or(Outcome::TooCostly)
        .value_or(Outcome::CannotBe);
  }

  /// The cap holds what is built before its cost is known.
  Outcome tried(const std::string& kind, const Change& change) {
    const auto hear = [&](const RunWork& work) {
      budget_.take(hostCost(work, Engine::ClosedForm));
    };
    const MemoryCap cap(limits_.memory.value_or(availableMemory()));
    const RunResult result =
        simulate(prepare(config_.with(change.overrides), hear), Engine::ClosedForm);
    if (!result.fits()) return Outcome::DoesNotFit;
    advice_.changes.push_back(advisedChange(kind, change, result));
    return Outcome::Fits;
  }

  const ConfigReader& config_;
  HostLimits limits_;
  HostCost own_;
  Budget budget_;
  Advice advice_;
};

}  // namespace

AdvisedChange advisedChange(const std::string& kind, const Change& change,
                            const RunResult& result) {
  Bytes fullest;
  for (const TileResult& tile : result.tiles) fullest = std::max(fullest, tile.including_gaps);
  std::vector<std::string> settings;
  for (const Override& one : change.overrides) settings.push_back(one.key + '=' + one.value);
  const double seconds = result.training ? result.training->seconds : result.time.seconds;
  return {kind,    change.words, std::move(settings), fullest, result.machine.sram_per_tile,
          seconds, change.runs};
}

Advice adviceFor(const ConfigReader& config, const HostLimits& limits, const HostCost& own) {
  const std::vector<Remedy> remedies = remediesFor(config);
  AdviceSearch search(config, limits, own);
  search.tryAll(remedies);
  if (search.advice().changes.empty() && !remedies.empty()) {
    search.tryAll(together(remedies.front(), remedies));
  }
  return search.advice();
}

Advice noAdvice(const ConfigReader& config) {
  Advice advice;
  for (const Remedy& remedy : remediesFor(config)) advice.left_out += remedy.changes.size();
  return advice;
}

}  // namespace ipusim::run
