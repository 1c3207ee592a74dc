// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/search/evaluator.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/error_boundary.h"
#include "base/text/json.h"
#include "base/text/message.h"
#include "ipusim/error.h"
#include "sim/studies/sweep/processes/work_queue.h"

namespace ipusim::search {

namespace {

/// Thrown when a key, which is the message, has no value at a point: the result lacks the key, or
/// has null there.
class NoValue : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The bytes that lack, relative to what there is; 0 when nothing lacks.
double overflowOf(const sweep::PointResult& result) {
  return result.outcome ? result.outcome->overflow : 0;
}

/// The values of keys at a computed point.
class ResultKeys {
 public:
  ResultKeys(const sweep::PointKeys& keys, std::vector<Override> overrides,
             const sweep::PointResult& result)
      : keys_(keys),
        overrides_(std::move(overrides)),
        overflow_(overflowOf(result)),
        json_(SortedJson::parse(result.result)) {}

  /// Throws NoValue.
  [[nodiscard]] sweep::ExpressionValue at(const std::string& key) const {
    if (key == "fits") return sweep::ConditionValue{overflow_};
    const auto found = json_.find(key);
    if (found != json_.end()) return sweep::expressionValue(found->get<std::string>());
    if (auto value = keys_.valueAt(overrides_, key)) return *std::move(value);
    throw NoValue(key);
  }

 private:
  const sweep::PointKeys& keys_;
  std::vector<Override> overrides_;
  double overflow_;
  SortedJson json_;
};

Outcome withoutResult() {
  return {{}, Evaluator::kNoResult};
}

}  // namespace

Evaluator::Evaluator(const sweep::Sweep& sweep, const SearchOptions& options,
                     sweep::SweepStore& store, const sweep::Compute& compute)
    : sweep_(sweep),
      options_(options),
      store_(store),
      compute_(compute),
      keys_(*sweep.run),
      budget_(options.evaluations) {}

void Evaluator::look(const std::vector<std::uint64_t>& numbers) {
  computeAll(missingOf(numbers), [this](std::uint64_t number, const sweep::PointResult& result) {
    outcomes_[number] = judge(number, result);
    ++computed_;
  });
}

void Evaluator::mend() {
  std::vector<std::uint64_t> damaged(store_.damaged().begin(), store_.damaged().end());
  const auto unknown = [this](std::uint64_t number) { return number >= sweep_.numbers(); };
  damaged.erase(std::remove_if(damaged.begin(), damaged.end(), unknown), damaged.end());
  computeAll(damaged, [](std::uint64_t, const sweep::PointResult&) {});
}

std::vector<std::uint64_t> Evaluator::missingOf(const std::vector<std::uint64_t>& numbers) {
  std::vector<std::uint64_t> missing;
  for (const std::uint64_t number : numbers) {
    if (hasSeen(number) || !mayLook() || !sweep_.asked(number).holds()) continue;
    seen_.push_back(number);
    const std::optional<sweep::PointResult> there = store_.find(number);
    const bool is_there = there && there->status != sweep::Status::Failed;
    outcomes_[number] = is_there ? judge(number, *there) : Outcome{};
    if (!is_there) missing.push_back(number);
  }
  return missing;
}

void Evaluator::computeAll(const std::vector<std::uint64_t>& numbers, const Take& take) {
  sweep::WorkQueue queue(sweep_, numbers);
  std::size_t done = 0;
  if (numbers.empty() && stop_request() == sweep::StopRequest::None) return;
  compute_({[&](std::optional<std::uint64_t> last) { return queue.next(last); },
            [&](std::uint64_t number, const sweep::PointResult& result) {
              store_.add(number, sweep::describePoint(sweep_, number), result);
              take(number, result);
              ++done;
            },
            stop_request});
  if (done < numbers.size() || stop_request() != sweep::StopRequest::None) throw Interrupted();
}

Outcome Evaluator::judge(std::uint64_t number, const sweep::PointResult& result) {
  if (result.status == sweep::Status::Invalid || result.status == sweep::Status::Failed)
    return withoutResult();
  Outcome outcome;
  const auto lacking = faultOf<NoValue>([&] { outcome = judged(number, result); });
  if (!lacking) return outcome;
  if (result.status == sweep::Status::Ok) lacking_.insert(*lacking);
  outcome = withoutResult();
  // Some keys have a value only where the run fits. A point that nearly fits is then less bad.
  if (result.status == sweep::Status::DoesNotFit) outcome.violation -= 1 / (1 + overflowOf(result));
  return outcome;
}

Outcome Evaluator::judged(std::uint64_t number, const sweep::PointResult& result) {
  Outcome outcome;
  outcome.objectives.reserve(options_.objectives.size());
  const ResultKeys keys(keys_, sweep_.axesAt(number), result);
  const auto value_of = [&](const std::string& key) {
    sweep::ExpressionValue value = keys.at(key);
    valued_.insert(key);
    return value;
  };
  for (const Objective& objective : options_.objectives) {
    const sweep::ExpressionValue value = value_of(objective.key);
    const double* real = std::get_if<double>(&value);
    if (real == nullptr) {
      throw ConfigError(fmt::format("{}: wanted numbers as objectives, found {}, which is none",
                                    options_.place, inQuotes(objective.key)));
    }
    outcome.objectives.push_back(objective.maximize ? -*real : *real);
  }
  for (const sweep::Condition& constraint : options_.constraints) {
    outcome.violation += constraint.evaluate(value_of).violation;
  }
  return outcome;
}

void Evaluator::expectValues() const {
  for (const std::string& key : lacking_) {
    if (valued_.count(key) > 0) continue;
    throw ConfigError(
        fmt::format("{}: wanted keys of the result, of axes, of the run config or of the "
                    "machine, found {}, which has no value at any of the {} points seen",
                    options_.place, inQuotes(key), seen_.size()));
  }
}

Outcome Evaluator::outcomeOf(std::uint64_t number) const {
  const auto found = outcomes_.find(number);
  if (found != outcomes_.end()) return found->second;
  const sweep::ConditionValue asked = sweep_.asked(number);
  return {{}, asked.holds() ? kOverBudget : kNotAsked + asked.violation};
}

}  // namespace ipusim::search
