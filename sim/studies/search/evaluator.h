// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "sim/studies/search/search_options.h"
#include "sim/studies/sweep/processes/worker_pool.h"
#include "sim/studies/sweep/store/sweep_store.h"
#include "sim/studies/sweep/sweep.h"

namespace ipusim::search {

/// What a search knows about a point.
struct Outcome {
  /// All to be minimised: objectives to maximise have changed sign.
  std::vector<double> objectives;
  double violation = 0;  ///< violation of the constraints; 0 when the point is feasible

  [[nodiscard]] bool feasible() const { return violation == 0; }
};

/// Thrown when a search was told to end.
class Interrupted : public std::exception {};

/// Looks at points for a search, at most as many as the options allow. Each point is computed once,
/// through the store: what a sweep of the same file has computed is not computed again.
///
/// Violations have floors, so that a point which could be computed is always less bad than one
/// which could not:
///
/// - 0: constraints of the result;
/// - kNotAsked: the condition `where` of the sweep;
/// - kNoResult: an invalid or failed point, or one without a value of a key that is asked for; a
///   point that does not fit is a little less bad, the more so the more nearly it fits;
/// - kOverBudget: a point that is no longer looked at.
class Evaluator {
 public:
  static constexpr double kNotAsked = 1e3;
  static constexpr double kNoResult = 1e6;
  static constexpr double kOverBudget = 1e9;

  /// All arguments must outlive the evaluator.
  Evaluator(const sweep::Sweep& sweep, const SearchOptions& options, sweep::SweepStore& store,
            const sweep::Compute& compute);

  /// Looks at the points, as far as the budget allows. Points seen before cost nothing. Throws
  /// Interrupted when `stop_request` asks for an end.
  void look(const std::vector<std::uint64_t>& numbers);
  /// Computes the points that are damaged in the store, without looking at them, so that the tables
  /// show all that the store had. Throws Interrupted.
  void mend();
  /// Throws ConfigError when some points fit but a key that is asked for has a value at none of the
  /// points seen: it may be misspelt. A key that is null at a few points only is no error.
  void expectValues() const;
  /// The outcome of any point.
  [[nodiscard]] Outcome outcomeOf(std::uint64_t number) const;

  /// The points looked at, in that order.
  [[nodiscard]] const std::vector<std::uint64_t>& seen() const { return seen_; }
  [[nodiscard]] bool hasSeen(std::uint64_t number) const { return outcomes_.count(number) > 0; }
  [[nodiscard]] bool mayLook() const { return seen_.size() < budget_; }
  /// How many of the points were computed now instead of found in the store.
  [[nodiscard]] std::uint64_t computed() const { return computed_; }
  /// Allows `points` more.
  void extendBudget(std::uint64_t points) { budget_ += points; }

  std::function<sweep::StopRequest()> stop_request = [] { return sweep::StopRequest::None; };

 private:
  [[nodiscard]] std::vector<std::uint64_t> missingOf(const std::vector<std::uint64_t>& numbers);
  using Take = std::function<void(std::uint64_t, const sweep::PointResult&)>;
  void computeAll(const std::vector<std::uint64_t>& numbers, const Take& take);
  Outcome judge(std::uint64_t number, const sweep::PointResult& result);
  Outcome judged(std::uint64_t number, const sweep::PointResult& result);

  const sweep::Sweep& sweep_;
  const SearchOptions& options_;
  sweep::SweepStore& store_;
  const sweep::Compute& compute_;
  sweep::PointKeys keys_;
  std::uint64_t budget_;
  std::uint64_t computed_ = 0;
  std::set<std::string> valued_;   ///< keys that have a value at some point
  std::set<std::string> lacking_;  ///< keys without a value at some point that fits
  std::vector<std::uint64_t> seen_;
  std::unordered_map<std::uint64_t, Outcome> outcomes_;
};

}  // namespace ipusim::search
