// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/reproduce/numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "base/error_boundary.h"
#include "base/text/json.h"
#include "base/text/json_text.h"
#include "base/text/message.h"
#include "sim/report/output_folder.h"
#include "sim/studies/sweep/processes/worker_pool.h"
#include "sim/studies/sweep/store/sweep_identity.h"
#include "sim/studies/sweep/store/sweep_store.h"

namespace ipusim::reproduce {

using validate::Measurement;
using validate::OverrideList;
using validate::Verdict;

namespace {

constexpr Engine kNumbersEngine = Engine::ClosedForm;
constexpr std::size_t kNumbersReasonLength = 500;

/// Numbers that share one set of runs, as places in Paper::numbers.
using Group = std::vector<std::size_t>;

bool haveSameRuns(const Measurement& one, const Measurement& other) {
  const auto same = [](const OverrideList& a, const OverrideList& b) {
    return a.key == b.key && a.values == b.values;
  };
  const auto& left = one.runs.overrides;
  const auto& right = other.runs.overrides;
  return one.file.parent_path() == other.file.parent_path() &&
         one.runs.config == other.runs.config &&
         std::equal(left.begin(), left.end(), right.begin(), right.end(), same);
}

std::vector<Group> groupsOf(const std::vector<Measurement>& numbers) {
  std::vector<Group> groups;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& known) {
      return haveSameRuns(numbers[known.front()], numbers[i]);
    });
    if (group != groups.end()) {
      group->push_back(i);
    } else {
      groups.push_back({i});
    }
  }
  return groups;
}

/// A sweep whose identity names all files that the runs of a number depend on.
sweep::Sweep sweepOf(const Measurement& number) {
  sweep::Sweep sweep;
  sweep.run = ConfigReader::fromFile(findConfigFile(number.runs.config, number.file));
  std::vector<OverrideList> lists = number.runs.overrides;
  lists.insert(lists.end(), number.metric.baseline.begin(), number.metric.baseline.end());
  for (const OverrideList& list : lists) {
    sweep::Axis axis;
    axis.key = list.key;
    for (const std::string& value : list.values) {
      axis.values.push_back(sweep::axisValue(Json(value).dump()));
    }
    sweep.dimensions.push_back({{std::move(axis)}});
  }
  return sweep;
}

/// What a number depends on besides the program. A config that is missing counts too.
Json dependenciesOf(const Measurement& number) {
  Json all = {{"id", number.id}, {"rows", sweep::hashOfFile(number.file)}};
  const auto fault = faultOf<ConfigError>([&] {
    all["runs"] = Json::parse(sweep::identify(sweepOf(number), kNumbersEngine, "").config);
  });
  if (fault) all["fault"] = oneLine(*fault, kNumbersReasonLength);
  return all;
}

sweep::SweepIdentity identityOf(const Paper& paper, const std::string& program) {
  Json numbers = Json::array();
  for (const Measurement& number : paper.numbers) numbers.push_back(dependenciesOf(number));
  return {program, Json{{"numbers", std::move(numbers)}}.dump()};
}

/// The part of a verdict that a store keeps. The measurement has the rest.
std::string textOf(const Verdict& verdict) {
  return Json{{"status", nameOf(verdict.status)},
              {"predicted", verdict.predicted ? Json(*verdict.predicted) : Json(nullptr)},
              {"note", verdict.note}}
      .dump();
}

Verdict verdictFrom(const Measurement& number, const std::string& text) {
  const Json kept = Json::parse(text);
  Verdict verdict{number.id,
                  number.kind,
                  number.unit,
                  number.value,
                  valueOf(kept.at("status").get<std::string>(), validate::kStatusWords),
                  std::nullopt,
                  kept.at("note").get<std::string>(),
                  number.role};
  if (kept.at("predicted").is_number()) verdict.predicted = kept.at("predicted").get<double>();
  return verdict;
}

/// Compares numbers with their runs, in a process of its own.
class GroupEvaluator {
 public:
  GroupEvaluator(const Paper& paper, const std::vector<Group>& groups, validate::RunStore known)
      : paper_(paper), groups_(groups), known_(std::move(known)) {}

  sweep::PointResult operator()(std::uint64_t group) const {
    const auto begin = std::chrono::steady_clock::now();
    sweep::PointResult kept;
    const auto fault = faultOf<std::exception>([&] {
      validate::RunStore runs = known_;
      Json texts = Json::object();
      for (const std::size_t number : groups_[group]) {
        texts[paper_.numbers[number].id] = textOf(verdictOn(paper_.numbers[number], runs));
      }
      kept.result = jsonTextOf(texts);
    });
    if (fault) {
      kept.status = sweep::Status::Failed;
      kept.reason = oneLine(*fault, kNumbersReasonLength);
    }
    kept.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    return kept;
  }

 private:
  static Verdict against(const Measurement& number, validate::RunStore& runs) {
    return validate::evaluate(number, [&runs](const std::filesystem::path& config,
                                              const std::vector<Override>& overrides) {
      return runs.resultOf(config, overrides);
    });
  }

  /// Points of a sweep have no arrays. A metric that reads an array needs the run itself.
  static Verdict verdictOn(const Measurement& number, validate::RunStore& runs) {
    Verdict verdict = against(number, runs);
    if (verdict.status != validate::Status::NotExpressible) return verdict;
    validate::RunStore none(kNumbersEngine);
    return against(number, none);
  }

  const Paper& paper_;
  const std::vector<Group>& groups_;
  validate::RunStore known_;
};

std::set<std::size_t> wantedNumbers(const Paper& paper) {
  std::set<std::size_t> wanted;
  for (const Item& item : paper.items) wanted.insert(item.numbers.begin(), item.numbers.end());
  return wanted;
}

/// All groups that have a number of an item, and those of them that the store does not have.
struct Work {
  std::vector<std::uint64_t> all;
  std::vector<std::uint64_t> missing;
};

Work workOf(const Paper& paper, const std::vector<Group>& groups, const sweep::SweepStore& store) {
  const std::set<std::size_t> wanted = wantedNumbers(paper);
  const std::vector<std::uint64_t> there = store.points();
  Work work;
  for (std::uint64_t i = 0; i < groups.size(); ++i) {
    const bool is_wanted = std::any_of(groups[i].begin(), groups[i].end(), [&](std::size_t number) {
      return wanted.count(number) > 0;
    });
    if (!is_wanted) continue;
    work.all.push_back(i);
    if (!std::binary_search(there.begin(), there.end(), i)) work.missing.push_back(i);
  }
  return work;
}

/// Computes the missing groups. Returns false where it was ended early.
bool compute(const Work& work, sweep::WorkerPool& pool, sweep::SweepStore& store,
             const Watch& watch) {
  sweep::SweepState state{work.all.size(), work.all.size() - work.missing.size(),
                          work.all.size() - work.missing.size()};
  std::size_t next = 0;
  pool.compute({[&](std::optional<std::uint64_t>) {
                  return next < work.missing.size() ? std::optional(work.missing[next++])
                                                    : std::nullopt;
                },
                [&](std::uint64_t group, const sweep::PointResult& result) {
                  store.add(group, fmt::format("group {}", group), result);
                  ++state.done;
                },
                [&] { return watch("numbers", state); }});
  return state.done == state.points;
}

void addVerdicts(const Paper& paper, const Group& group, const sweep::PointResult& result,
                 Verdicts& verdicts) {
  const Json texts = Json::parse(result.result);
  for (const std::size_t number : group) {
    const Measurement& row = paper.numbers[number];
    if (result.status == sweep::Status::Ok) {
      verdicts[number] = verdictFrom(row, texts.at(row.id).get<std::string>());
    } else {
      verdicts[number] =
          Verdict{row.id,       row.kind,      row.unit, row.value, validate::Status::Failed,
                  std::nullopt, result.reason, row.role};
    }
  }
}

}  // namespace

NumbersOutcome computeNumbers(const Paper& paper, const Options& options, const Watch& watch,
                              const validate::RunStore& runs) {
  const std::vector<Group> groups = groupsOf(paper.numbers);
  const report::OutputFolder folder(options.out / "numbers");
  sweep::SweepStore store(folder, identityOf(paper, options.program));
  sweep::WorkerPool pool({options.jobs, std::nullopt}, GroupEvaluator(paper, groups, runs));
  const Work work = workOf(paper, groups, store);
  NumbersOutcome outcome;
  outcome.done = compute(work, pool, store, watch);
  outcome.verdicts.resize(paper.numbers.size());
  for (const std::uint64_t group : work.all) {
    const std::optional<sweep::PointResult> result = store.find(group);
    if (result) addVerdicts(paper, groups[group], *result, outcome.verdicts);
  }
  const std::set<std::size_t> wanted = wantedNumbers(paper);
  for (std::size_t i = 0; i < outcome.verdicts.size(); ++i) {
    if (wanted.count(i) == 0) outcome.verdicts[i].reset();
  }
  return outcome;
}

}  // namespace ipusim::reproduce
