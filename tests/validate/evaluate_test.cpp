// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/evaluate.h"

#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>

namespace ipusim::validate {
namespace {

using Json = nlohmann::ordered_json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kConfig = "configs/runs/quickstart.toml";  // exists, but is never read

/// Results as a table: the overrides of a run, such as "n=4 t=half", give its cycles. A run without
/// cycles in the table does not fit.
class Evaluate : public testing::Test {
 protected:
  Verdict verdictOn(const std::string& overrides, const std::string& metric) {
    Measurement row;
    row.id = "A-1";
    row.kind = "matmul";
    row.unit = "cycles";
    row.value = 200;
    row.runs = parseRunSet({"m.csv:2: config", kConfig + overrides});
    row.metric = parseMetric({"m.csv:2: metric", metric});
    return evaluate(
        row, [this](const std::filesystem::path& config, const std::vector<Override>& added) {
          EXPECT_EQ(config.filename(), "quickstart.toml");
          return resultOf(added);
        });
  }

  RunFigures resultOf(const std::vector<Override>& added) {
    std::string run;
    for (const Override& one : added) run += (run.empty() ? "" : " ") + one.key + '=' + one.value;
    runs_.push_back(run);
    if (run == "kind=unknown") throw ConfigError("--set kind: wanted one of a, b");
    if (run == "kind=bug") throw InternalError("no such\nkind");
    if (several_.count(run) > 0) return onSeveral(cycles_[run], several_[run]);
    if (cycles_.count(run) == 0) {
      answer::Outcome outcome;
      outcome.lacks = "tile 3 is 12 bytes over (stack) in mul";
      return {{{"time", {{"cycles", 1}}}}, outcome};
    }
    answer::Outcome outcome;
    outcome.fits = true;
    return {{{"time", {{"cycles", cycles_[run]}, {"rate", cycles_[run]}, {"zero", 0}}}}, outcome};
  }

  /// A run on several IPUs, whose stages are timed whether they fit or not.
  static RunFigures onSeveral(int cycles, bool fits) {
    answer::Outcome outcome{answer::RunKind::Parallel, fits};
    if (!fits) outcome.lacks = "a tile of stage 1 is 10 bytes over 20";
    return {{{"time", {{"cycles", cycles}}}}, outcome};
  }

  std::map<std::string, int> cycles_;
  /// The runs on several IPUs among them, and which of them fit.
  std::map<std::string, bool> several_;
  std::vector<std::string> runs_;
};

TEST_F(Evaluate, HoldsTheRunAgainstTheNumber) {
  cycles_ = {{"n=4", 230}};
  const Verdict verdict = verdictOn(";n=4", "time.cycles");
  EXPECT_EQ(verdict.id, "A-1");
  EXPECT_EQ(verdict.kind, "matmul");
  EXPECT_EQ(verdict.published, 200);
  EXPECT_EQ(verdict.status, Status::Ok);
  EXPECT_EQ(verdict.predicted, 230.0);
  EXPECT_DOUBLE_EQ(verdict.errorPercent().value(), 15);
  EXPECT_THAT(verdict.note, IsEmpty());
}

TEST_F(Evaluate, AnErrorHasTheSignOfTheDifference) {
  Verdict verdict;
  verdict.published = -200;
  EXPECT_EQ(verdict.errorPercent(), std::nullopt);
  verdict.predicted = -250;
  EXPECT_DOUBLE_EQ(verdict.errorPercent().value(), -25);
}

TEST_F(Evaluate, TheBestOfASetIsTheSmallestOfCyclesAndTheLargestOfARate) {
  cycles_ = {{"n=1", 500}, {"n=2", 300}, {"n=3", 400}};
  EXPECT_EQ(verdictOn(";n={1,2,3}", "time.cycles").predicted, 300.0);
  EXPECT_EQ(verdictOn(";n={1,2,3}", "time.rate").predicted, 500.0);
  EXPECT_THAT(runs_, ElementsAre("n=1", "n=2", "n=3", "n=1", "n=2", "n=3"));
}

TEST_F(Evaluate, RunsThatDoNotFitAreLeftOut) {
  cycles_ = {{"n=1", 500}};
  const Verdict verdict = verdictOn(";n={1,2}", "time.cycles");
  EXPECT_EQ(verdict.status, Status::Ok);
  EXPECT_EQ(verdict.predicted, 500.0);
}

TEST_F(Evaluate, ASetOfWhichNoneFitsDoesNotFit) {
  const Verdict verdict = verdictOn(";n={1,2}", "time.cycles");
  EXPECT_EQ(verdict.status, Status::DoesNotFit);
  EXPECT_EQ(verdict.predicted, std::nullopt);
  EXPECT_EQ(verdict.note, "tile 3 is 12 bytes over (stack) in mul");
}

TEST_F(Evaluate, ARatioIsOverTheRunWithMoreOverrides) {
  cycles_ = {{"n=1", 500}, {"n=1 kind=dense", 250}, {"n=2", 300}, {"n=2 kind=dense", 200}};
  EXPECT_EQ(verdictOn(";n=1", "ratio(time.cycles | kind=dense)").predicted, 2.0);
  EXPECT_EQ(verdictOn(";n={1,2}", "ratio(time.cycles | kind=dense)").predicted, 1.5);
  EXPECT_EQ(verdictOn(";n={1,2}", "ratio(time.rate | kind=dense)").predicted, 2.0);
}

TEST_F(Evaluate, StagesThatDoNotFitDoNotCompeteWithThoseThatDo) {
  cycles_ = {{"n=2", 100}, {"n=4", 230}, {"n=8", 250}};
  several_ = {{"n=2", false}, {"n=4", true}, {"n=8", true}};
  const Verdict verdict = verdictOn(";n={2,4,8}", "time.cycles");
  EXPECT_EQ(verdict.status, Status::Ok);
  EXPECT_EQ(verdict.predicted, 230);
}

TEST_F(Evaluate, StagesOfWhichNoneFitsAreTimedAndSaidNotToFit) {
  cycles_ = {{"n=2", 100}, {"n=4", 230}};
  several_ = {{"n=2", false}, {"n=4", false}};
  const Verdict verdict = verdictOn(";n={2,4}", "time.cycles");
  EXPECT_EQ(verdict.status, Status::DoesNotFit);
  EXPECT_EQ(verdict.predicted, 100);
  EXPECT_THAT(verdict.note, HasSubstr("10 bytes over 20"));
}

TEST_F(Evaluate, ARatioWhoseBaselineDoesNotFitIsLeftOut) {
  cycles_ = {{"n=1", 500}, {"n=1 kind=dense", 250}, {"n=2", 300}};
  EXPECT_EQ(verdictOn(";n={1,2}", "ratio(time.cycles | kind=dense)").predicted, 2.0);
  EXPECT_EQ(verdictOn(";n=2", "ratio(time.cycles | kind=dense)").status, Status::DoesNotFit);
}

TEST_F(Evaluate, WhatTheConfigOrTheResultLacksIsNotExpressible) {
  const Verdict kind = verdictOn(";kind=unknown", "time.cycles");
  EXPECT_EQ(kind.status, Status::NotExpressible);
  EXPECT_EQ(kind.note, "--set kind: wanted one of a, b");
  cycles_ = {{"n=1", 500}};
  const Verdict metric = verdictOn(";n=1", "time.other");
  EXPECT_EQ(metric.status, Status::NotExpressible);
  EXPECT_THAT(metric.note, HasSubstr("no key \"other\""));
}

TEST_F(Evaluate, AConfigThatIsNowhereIsNotExpressible) {
  Measurement row;
  row.runs = {"nowhere.toml", {}};
  const Verdict verdict = evaluate(row, [](const auto&, const auto&) { return RunFigures(); });
  EXPECT_EQ(verdict.status, Status::NotExpressible);
  EXPECT_THAT(verdict.note, HasSubstr("\"nowhere.toml\": wanted a file"));
}

TEST_F(Evaluate, AnythingElseFailed) {
  const Verdict bug = verdictOn(";kind=bug", "time.cycles");
  EXPECT_EQ(bug.status, Status::Failed);
  EXPECT_EQ(bug.note, "no such\\nkind");
  cycles_ = {{"n=1", 500}};
  const Verdict by_zero = verdictOn(";n=1", "time.cycles / time.zero");
  EXPECT_EQ(by_zero.status, Status::Failed);
  EXPECT_EQ(by_zero.predicted, std::nullopt);
}

}  // namespace
}  // namespace ipusim::validate
