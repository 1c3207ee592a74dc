// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/search/search.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "sim/studies/search/exploration.h"
#include "sim/studies/search/front.h"
#include "sim/studies/search/genome.h"
#include "tests/support/thrown.h"
#include "tests/sweep/folder_test.h"

namespace ipusim::search {
namespace {

using testing::HasSubstr;

/// A space whose results are formulas: f = x + 10 k and g = (20 - x)^2 + 5 k for k = a, b, c = 0,
/// 1, 2, and a real y that makes both worse. The front is k = a, y = 0, x = 0 to 20.
class SearchTest : public sweep::FolderTest {
 protected:
  SearchTest() { write("run.toml", "machine = \"toy\"\n[workload]\nkind = \"x\"\n"); }

  void read(const std::string& algorithm, const std::string& more = {},
            const std::string& above = {}) {
    const auto file = write("space.toml", "run = \"run.toml\"\n" + above + R"(
      [axes]
      x = {from = 0, to = 40}
      k = ["a", "b", "c"]
      y = {from = 0.0, to = 1.0}
      only = [7]
      [explore]
      minimize = ["f", "g"]
      population = 40
      evaluations = 400
      algorithm = ")" + algorithm + "\"\n" + more);
    const auto config = ConfigReader::fromFile(file);
    sweep = sweep::readSpace(config);
    options = readSearchOptions(config);
  }

  /// Computes the objectives by the formulas, and remembers which points were asked for.
  Evaluator evaluator(sweep::SweepStore& kept) const { return {sweep, options, kept, compute}; }

  [[nodiscard]] double value(std::uint64_t number, std::size_t axis) const {
    return std::stod(sweep.valuesAt(number)[axis]->toml);
  }
  [[nodiscard]] sweep::PointResult formulas(std::uint64_t number) const {
    const double x = value(number, 0);
    const double k = sweep.valuesAt(number)[1]->shown[0] - 'a';
    const double y = value(number, 2);
    nlohmann::ordered_json json = {{"f", std::to_string(x + 10 * k + 20 * y)},
                                   {"g", std::to_string(std::pow(20 - x, 2) + 5 * k + 100 * y)}};
    change(x, json);
    answer::Outcome outcome;
    outcome.overflow = overflow(x);
    return {status, "", json.dump(), 0, outcome};
  }

 public:
  /// Removes keys from a result, or adds some.
  std::function<void(double, nlohmann::ordered_json&)> change = [](double, auto&) {};
  sweep::Status status = sweep::Status::Ok;                           // of every result
  std::function<double(double)> overflow = [](double) { return 0; };  // by x
  sweep::Sweep sweep;
  SearchOptions options;
  std::vector<std::uint64_t> computed;
  sweep::Compute compute = [this](const sweep::PoolWork& work) {
    while (const auto number = work.next(std::nullopt)) {
      computed.push_back(*number);
      work.keep(*number, formulas(*number));
    }
  };
  sweep::SweepStore store{report::OutputFolder(path()), {"1", R"({"axes":[]})"}};
};

TEST_F(SearchTest, FindsTheFrontFarBetterThanChance) {
  std::map<std::string, int> near;  // points at the true front
  for (const char* algorithm : {"nsga2", "moead", "random"}) {
    read(algorithm);
    std::filesystem::create_directories(path() / algorithm);
    sweep::SweepStore own(report::OutputFolder(path() / algorithm), {"1", "{}"});
    Evaluator looked = evaluator(own);
    search(sweep, options, looked);
    EXPECT_LE(looked.seen().size(), 400U);
    for (const std::uint64_t number : frontOf(looked, looked.seen()).numbers()) {
      const double x = value(number, 0);
      near[algorithm] += looked.outcomeOf(number).objectives[0] < x + 0.5 && x <= 20 ? 1 : 0;
    }
  }
  EXPECT_GT(near["nsga2"], 2 * near["random"]);
  EXPECT_GT(near["moead"], near["random"]);
}

/// The least first objective of the first `count` points that were looked at.
double leastOf(const Evaluator& looked, std::size_t count) {
  double least = HUGE_VAL;
  for (std::size_t i = 0; i < count; ++i) {
    least = std::min(least, looked.outcomeOf(looked.seen()[i]).objectives[0]);
  }
  return least;
}

/// The least f is 0, at one point alone.
TEST_F(SearchTest, FindsTheBestOfOneObjective) {
  for (const char* algorithm : {"nsga2", "moead"}) {
    read(algorithm);
    options.objectives.resize(1);
    std::filesystem::create_directories(path() / algorithm);
    sweep::SweepStore own(report::OutputFolder(path() / algorithm), {"1", "{}"});
    Evaluator looked = evaluator(own);
    const Exploration found = explore(sweep, options, looked);
    ASSERT_EQ(found.front.size(), 1U);
    const double best = looked.outcomeOf(found.front[0]).objectives[0];
    EXPECT_LT(best, 2) << algorithm;
    EXPECT_GT(leastOf(looked, found.generations.front().seen), best) << algorithm;
    for (const Generation& generation : found.generations) {
      // The box ends 1.1 behind the best: one point has no range, for which 1 stands.
      const double behind = leastOf(looked, generation.seen) - best;
      EXPECT_NEAR(generation.hypervolume, std::max(0.0, 1 - behind / 1.1), 1e-9) << algorithm;
    }
  }
}

TEST_F(SearchTest, DamagedPointsAreComputedThoughItDoesNotLookAtThem) {
  read("nsga2");
  const report::OutputFolder folder(path() / "own");
  for (const std::uint64_t number : {3U, 4U}) {
    sweep::SweepStore(folder, {"1", "{}"}).add(number, "", formulas(number));
  }
  sweep::Database(path() / "own" / sweep::kStoreFile)
      .execute("UPDATE points SET reason = 'x' WHERE point = 4");
  sweep::SweepStore own(folder, {"1", "{}"});
  Evaluator evaluated = evaluator(own);
  evaluated.mend();
  EXPECT_THAT(computed, testing::ElementsAre(4));
  EXPECT_EQ(own.find(4)->result, formulas(4).result);
  EXPECT_FALSE(evaluated.hasSeen(4));
  EXPECT_EQ(evaluated.computed(), 0U);
}

TEST_F(SearchTest, TheSameSeedSeesTheSamePointsWhateverIsInTheStore) {
  read("nsga2");
  Evaluator first = evaluator(store);
  const auto generations = search(sweep, options, first);
  const std::size_t all = computed.size();
  EXPECT_EQ(all, first.seen().size());
  Evaluator again = evaluator(store);
  EXPECT_EQ(search(sweep, options, again), generations);
  EXPECT_EQ(again.seen(), first.seen());
  EXPECT_EQ(computed.size(), all) << "computed again";
  options.seed = 2;
  Evaluator other = evaluator(store);
  search(sweep, options, other);
  EXPECT_NE(other.seen(), first.seen());
}

TEST_F(SearchTest, LooksAtNoPointTwiceAndAtNoneThatIsNotAsked) {
  read("nsga2", "", "where = \"x <= 15 or x > 35\"\n");
  Evaluator looked = evaluator(store);
  search(sweep, options, looked);
  auto seen = looked.seen();
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
  for (const std::uint64_t number : seen) {
    EXPECT_TRUE(value(number, 0) <= 15 || value(number, 0) > 35) << number;
  }
}

TEST_F(SearchTest, TheFrontMeetsTheConstraints) {
  read("nsga2", "constraints = [\"f >= 8\", \"k != \\\"b\\\"\"]\n");
  Evaluator looked = evaluator(store);
  const Exploration found = explore(sweep, options, looked);
  ASSERT_FALSE(found.front.empty());
  double least = HUGE_VAL;
  for (const std::uint64_t number : found.front) {
    const Outcome outcome = looked.outcomeOf(number);
    EXPECT_GE(outcome.objectives[0], 8);
    least = std::min(least, outcome.objectives[0]);
  }
  EXPECT_LT(least, 10) << "the search did not come to the edge";
}

TEST_F(SearchTest, ViolationsSortPointsByHowBadTheyAre) {
  read("nsga2", "constraints = [\"f <= 4\"]\n", "where = \"x < 30\"\n");
  Evaluator looked = evaluator(store);
  const std::uint64_t stride = sweep.numbers() / 41;
  looked.look({4 * stride, 5 * stride, 8 * stride, 35 * stride});
  EXPECT_EQ(looked.seen().size(), 3U);
  EXPECT_TRUE(looked.outcomeOf(4 * stride).feasible());
  EXPECT_DOUBLE_EQ(looked.outcomeOf(5 * stride).violation, 0.2);
  EXPECT_DOUBLE_EQ(looked.outcomeOf(8 * stride).violation, 0.5);
  EXPECT_GT(looked.outcomeOf(35 * stride).violation, Evaluator::kNotAsked);
  EXPECT_EQ(looked.outcomeOf(9 * stride).violation, Evaluator::kOverBudget);
}

TEST_F(SearchTest, APointWhoseResultLacksAKeyHasNoResult) {
  read("nsga2", "constraints = [\"h <= 1\"]\n");
  change = [](double x, nlohmann::ordered_json& json) {
    json["h"] = "1";
    if (x < 20) json.erase("f");
    if (x > 30) json.erase("h");
  };
  Evaluator looked = evaluator(store);
  const std::uint64_t stride = sweep.numbers() / 41;
  looked.look({4 * stride, 25 * stride, 35 * stride});
  EXPECT_EQ(looked.outcomeOf(4 * stride).violation, Evaluator::kNoResult);
  EXPECT_TRUE(looked.outcomeOf(25 * stride).feasible());
  EXPECT_EQ(looked.outcomeOf(35 * stride).violation, Evaluator::kNoResult);
  const Exploration found = explore(sweep, options, looked);
  ASSERT_FALSE(found.front.empty());
  for (const std::uint64_t number : found.front) EXPECT_GE(value(number, 0), 20) << number;
}

TEST_F(SearchTest, WhatNearlyFitsIsLessBadWhereOnlyWhatFitsHasTheValue) {
  read("nsga2", "constraints = [\"fits\"]\n");
  change = [](double, nlohmann::ordered_json& json) { json.erase("f"); };
  overflow = [](double x) { return x / 10; };
  status = sweep::Status::DoesNotFit;
  Evaluator looked = evaluator(store);
  const std::uint64_t stride = sweep.numbers() / 41;
  looked.look({4 * stride, 25 * stride});
  EXPECT_LT(looked.outcomeOf(4 * stride).violation, looked.outcomeOf(25 * stride).violation);
  EXPECT_LT(looked.outcomeOf(25 * stride).violation, Evaluator::kNoResult);
  EXPECT_GT(looked.outcomeOf(4 * stride).violation, Evaluator::kNotAsked);
}

TEST_F(SearchTest, AKeyThatNoPointHasIsToldAfterTheFirstGeneration) {
  read("nsga2", "constraints = [\"h <= 1\"]\n");
  Evaluator looked = evaluator(store);
  EXPECT_THAT(configErrorOf([&] { search(sweep, options, looked); }),
              HasSubstr("explore: wanted keys of the result, of axes, of the run config or of the "
                        "machine, found \"h\", which has no value at any of the 40 points seen"));
}

TEST_F(SearchTest, TheFrontIsWhatNoOtherPointIsBetterThan) {
  read("random");
  Evaluator looked = evaluator(store);
  search(sweep, options, looked);
  const auto is_better = [&](std::uint64_t a, std::uint64_t b) {
    const auto of_a = looked.outcomeOf(a).objectives;
    const auto of_b = looked.outcomeOf(b).objectives;
    return of_a != of_b && of_a[0] <= of_b[0] && of_a[1] <= of_b[1];
  };
  std::vector<std::uint64_t> front;
  for (const std::uint64_t number : looked.seen()) {
    const bool is_on_it =
        std::none_of(looked.seen().begin(), looked.seen().end(),
                     [&](std::uint64_t other) { return is_better(other, number); });
    if (is_on_it) front.push_back(number);
  }
  std::sort(front.begin(), front.end());
  EXPECT_EQ(frontOf(looked, looked.seen()).numbers(), front);
}

TEST_F(SearchTest, HypervolumeGrowsToTheLastFront) {
  read("nsga2");
  Evaluator looked = evaluator(store);
  const Exploration found = explore(sweep, options, looked);
  for (std::size_t g = 1; g < found.generations.size(); ++g) {
    EXPECT_GE(found.generations[g].hypervolume, found.generations[g - 1].hypervolume) << g;
  }
  EXPECT_EQ(found.generations.back().front, found.front.size());
}

TEST_F(SearchTest, TheSensitivityOfAnAxisIsThatOfTheFormula) {
  read("nsga2");
  Evaluator looked = evaluator(store);
  const std::uint64_t stride = sweep.numbers() / 41;
  const auto rows = sensitivities(sweep, options, {10 * stride}, looked);
  ASSERT_EQ(rows.size(), 6U);  // three axes that have two values, two objectives
  EXPECT_EQ(rows[0].axes, "x");
  EXPECT_EQ(rows[0].objective, "f");
  EXPECT_DOUBLE_EQ(rows[0].mean_percent, 20);     // x = 8 and 12, f is 10 at x = 10
  EXPECT_DOUBLE_EQ(rows[1].largest_percent, 44);  // g = 144 in place of 100
  EXPECT_EQ(rows[1].to, "8");
  EXPECT_EQ(rows[2].neighbours, 2U);  // b and c
  EXPECT_DOUBLE_EQ(rows[2].largest_percent, 200);
}

TEST_F(SearchTest, WhatLacksMostIsWorst) {
  read("nsga2", "constraints = [\"fits\"]\n");
  overflow = [](double x) { return std::max(0.0, x / 4 - 1); };
  Evaluator looked = evaluator(store);
  const std::uint64_t stride = sweep.numbers() / 41;
  looked.look({4 * stride, 5 * stride, 8 * stride});
  EXPECT_TRUE(looked.outcomeOf(4 * stride).feasible());
  EXPECT_DOUBLE_EQ(looked.outcomeOf(5 * stride).violation, 0.25);
  EXPECT_DOUBLE_EQ(looked.outcomeOf(8 * stride).violation, 1);
}

TEST_F(SearchTest, AStatedFigureIsAnObjective) {
  const auto file = write("space.toml", R"(
    run = "run.toml"
    zip = [["k", "stated.loss"]]
    [axes]
    k = ["a", "b", "c"]
    stated.loss = [3, 1, 2]
    [explore]
    minimize = ["f", "stated.loss"]
  )");
  const auto config = ConfigReader::fromFile(file);
  sweep = sweep::readSpace(config);
  options = readSearchOptions(config);
  sweep::Compute by_number = [](const sweep::PoolWork& work) {
    while (const auto number = work.next(std::nullopt)) {
      work.keep(*number,
                {sweep::Status::Ok, "", nlohmann::json{{"f", std::to_string(*number)}}.dump(), 0});
    }
  };
  Evaluator looked(sweep, options, store, by_number);
  looked.look({0, 1, 2});
  EXPECT_THAT(frontOf(looked, looked.seen()).numbers(), testing::ElementsAre(0, 1));
}

TEST_F(SearchTest, AnInterruptEndsIt) {
  read("nsga2");
  Evaluator looked = evaluator(store);
  looked.stop_request = [&] {
    return computed.size() < 100 ? sweep::StopRequest::None : sweep::StopRequest::FinishPoints;
  };
  EXPECT_THROW(search(sweep, options, looked), Interrupted);
}

TEST_F(SearchTest, SaysWhatIsWrongWithTheTable) {
  const auto error_of = [&](const std::string& more) {
    return configErrorOf([&] { read("nsga2", more); });
  };
  EXPECT_THAT(error_of("seeds = 3\n"), HasSubstr("explore.seeds: wanted no key but minimize"));
  EXPECT_THAT(configErrorOf([&] {
                const auto file = write("none.toml", "[explore]\n");
                static_cast<void>(readSearchOptions(ConfigReader::fromFile(file)));
              }),
              HasSubstr("explore.minimize: wanted an objective or more"));
  EXPECT_THAT(configErrorOf([&] { read("best"); }),
              HasSubstr("one of nsga2, moead, random, bisect"));
  EXPECT_THAT(error_of("constraints = [\"f <\"]\n"),
              HasSubstr("explore.constraints: wanted a number"));
  EXPECT_THAT(error_of("constraints = 3\n"), HasSubstr("a list of texts"));
}

TEST(Genome, GoesThereAndBack) {
  sweep::Sweep sweep;
  for (const std::size_t count : {std::size_t{3}, std::size_t{1}, std::size_t{5}}) {
    sweep::Axis axis{"a" + std::to_string(count), std::vector<sweep::AxisValue>(count),
                     sweep::AxisKind::Ordered};
    sweep.dimensions.push_back({{axis}});
  }
  sweep.dimensions[2].axes[0].kind = sweep::AxisKind::Continuous;
  for (const Algorithm algorithm : {Algorithm::Nsga2, Algorithm::Moead}) {
    const Genome genome(sweep, algorithm);
    EXPECT_EQ(genome.size(), 2U);
    EXPECT_EQ(genome.wholes(), algorithm == Algorithm::Nsga2 ? 1U : 0U);
    for (std::uint64_t number = 0; number < 15; ++number) {
      EXPECT_EQ(genome.decode(genome.encode(number).data()), number);
    }
    EXPECT_EQ(genome.decode(genome.lower().data()), 0U);
    EXPECT_EQ(genome.decode(genome.upper().data()), 14U);
  }
}

}  // namespace
}  // namespace ipusim::search
