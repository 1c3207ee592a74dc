// SPDX-License-Identifier: Apache-2.0
#include "sim/run/advice/advice_search.h"

#include <algorithm>
#include <chrono>
#include <new>
#include <optional>
#include <utility>

#include "base/error_boundary.h"
#include "base/numbers/bisection.h"
#include "base/numbers/powers_of_two.h"
#include "base/process/memory_cap.h"
#include "sim/run/simulate.h"

namespace ipusim::run {

namespace {

/// Between a size and its double at least: a batch of up to as many rows is found to one row.
constexpr std::uint64_t kSizesBetween = 64;

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

  /// The largest sizes are looked for with what the limits leave when each kind had its turn.
  void tryAll(const std::vector<Remedy>& remedies) {
    std::vector<std::pair<const Remedy*, std::size_t>> resized;
    for (const Remedy& remedy : remedies) {
      const std::optional<std::size_t> first = firstThatFits(remedy);
      if (first && remedy.resizing) resized.emplace_back(&remedy, *first);
    }
    for (const auto& [remedy, first] : resized) enlarge(*remedy, first);
  }

  [[nodiscard]] const Advice& advice() const { return advice_; }

 private:
  /// The number of the first change of the remedy with which the program fits.
  std::optional<std::size_t> firstThatFits(const Remedy& remedy) {
    bool is_too_costly = false;
    for (std::size_t i = 0; i < remedy.changes.size(); ++i) {
      const Outcome outcome = is_too_costly ? leftOut() : runWithin(remedy, remedy.changes[i]);
      if (remedy.later_costs == LaterCosts::NoLess) is_too_costly |= outcome == Outcome::TooCostly;
      if (outcome == Outcome::Fits) return i;
    }
    return std::nullopt;
  }

  /// Puts the largest size with which the program fits, to a grain of it, in the place of the
  /// halved one.
  void enlarge(const Remedy& remedy, std::size_t halved) {
    const Resizing& resizing = *remedy.resizing;
    const std::uint64_t holds = resizing.now >> (halved + 1);
    const std::uint64_t grain = std::uint64_t{1} << floorLog2(ceilDiv(holds, kSizesBetween));
    const auto fits = [&](std::uint64_t grains) {
      const Change change = resizing.change_to(holds + grains * grain);
      if (runWithin(remedy, change) != Outcome::Fits) return false;
      const auto is_of_remedy = [&](const AdvisedChange& one) { return one.kind == remedy.kind; };
      std::vector<AdvisedChange>& changes = advice_.changes;
      *std::find_if(changes.begin(), changes.end(), is_of_remedy) = std::move(changes.back());
      changes.pop_back();
      return true;
    };
    const std::uint64_t too_many = ceilDiv((resizing.now >> halved) - holds, grain);
    static_cast<void>(lastThatHolds(0, too_many, fits));
  }

  Outcome leftOut() {
    ++advice_.left_out;
    return Outcome::TooCostly;
  }

  /// Runs a change where the limits allow it. Building a run that is then too costly can itself
  /// take long.
  Outcome runWithin(const Remedy& remedy, const Change& change) {
    if (budget_.isSpent() || isExpectedOver(remedy, change)) return leftOut();
    const Outcome outcome = run(remedy.kind, change);
    if (outcome == Outcome::TooCostly) return leftOut();
    if (outcome != Outcome::CannotBe) ++advice_.tried;
    return outcome;
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
