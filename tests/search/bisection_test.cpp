// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/search/bisection.h"

#include <gmock/gmock.h>

#include <cmath>

#include "sim/studies/search/front.h"
#include "tests/support/thrown.h"
#include "tests/sweep/folder_test.h"

namespace ipusim::search {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Spaces of one axis x, whose results have f = 3 x and fit up to some x.
class Bisection : public sweep::FolderTest {
 protected:
  Bisection() { write("run.toml", "machine = \"toy\"\n[workload]\nkind = \"x\"\n"); }

  void read(const std::string& axes, const std::string& search) {
    const auto file = write(
        "space.toml", "run = \"run.toml\"\n[axes]\nx = " + axes + "\n[explore]\n" + search + "\n");
    const auto config = ConfigReader::fromFile(file);
    sweep = sweep::readSpace(config);
    options = readSearchOptions(config);
  }

  /// The values of x that it ends at. No point is computed twice, and at most `most` are.
  std::vector<std::string> found(std::size_t most) {
    sweep::SweepStore store(report::OutputFolder(path() / std::to_string(++stores_)), {"1", "{}"});
    const sweep::Compute compute = [this](const sweep::PoolWork& work) {
      while (const auto number = work.next(std::nullopt)) work.keep(*number, resultAt(*number));
    };
    Evaluator evaluator(sweep, options, store, compute);
    EXPECT_TRUE(wantsBisection(sweep, options));
    EXPECT_LE(bisect(sweep, options, evaluator).size(), most);
    EXPECT_LE(most, bisectionPoints(sweep.numbers()));
    EXPECT_EQ(evaluator.computed(), evaluator.seen().size());
    std::vector<std::string> values;
    for (const std::uint64_t number : frontOf(evaluator, evaluator.seen()).numbers()) {
      values.push_back(sweep.valuesAt(number)[0]->toml);
    }
    return values;
  }

  bool wants(const std::string& axes, const std::string& search) {
    read(axes, search);
    return wantsBisection(sweep, options);
  }

  double last_that_fits = HUGE_VAL;

 private:
  [[nodiscard]] sweep::PointResult resultAt(std::uint64_t number) const {
    const double x = std::stod(sweep.valuesAt(number)[0]->toml);
    answer::Outcome outcome;
    outcome.overflow = x > last_that_fits ? 1 : 0;
    const auto status = x > last_that_fits ? sweep::Status::DoesNotFit : sweep::Status::Ok;
    return {status, "", R"({"f":")" + std::to_string(3 * x) + R"("})", 0, outcome};
  }

  sweep::Sweep sweep;
  SearchOptions options;
  int stores_ = 0;
};

TEST_F(Bisection, EndsAtTheLastValueThatFitsWhereverThatIs) {
  read("{from = 0, to = 40}", "maximize = [\"x\"]");
  for (const int last : {0, 1, 17, 39, 40}) {
    last_that_fits = last;
    EXPECT_THAT(found(6), ElementsAre(std::to_string(last)));
  }
}

TEST_F(Bisection, TakesTwelvePointsForFourThousandValues) {
  read("{from = 1, to = 4095}", "maximize = [\"x\"]");
  last_that_fits = 576;
  EXPECT_THAT(found(12), ElementsAre("576"));
}

TEST_F(Bisection, KnowsDescendingValuesAndLeastOnes) {
  read("[40, 20, 10, 5, 1]", "maximize = [\"x\"]\nconstraints = [\"f <= 36\"]");
  EXPECT_THAT(found(3), ElementsAre("10"));
  read("[1, 5, 10, 20, 40]", "minimize = [\"x\"]\nconstraints = [\"f >= 36\"]");
  EXPECT_THAT(found(3), ElementsAre("20"));
}

TEST_F(Bisection, FindsNothingWhereNothingFits) {
  read("{from = 0, to = 40}", "maximize = [\"x\"]");
  last_that_fits = -1;
  EXPECT_THAT(found(6), IsEmpty());
}

TEST_F(Bisection, IsForOneAxisThatIsTheObjective) {
  EXPECT_TRUE(wants("{from = 0, to = 40}\ny = [7]", "maximize = [\"x\"]"));
  EXPECT_FALSE(wants("{from = 0, to = 40}", "minimize = [\"f\"]"));
  EXPECT_FALSE(wants("{from = 0, to = 40}\ny = [1, 2]", "maximize = [\"x\"]"));
  EXPECT_FALSE(wants("[1, 7, 3]", "maximize = [\"x\"]")) << "values without an order";
  EXPECT_FALSE(wants("{from = 0, to = 40}", "maximize = [\"x\"]\nalgorithm = \"nsga2\""));
}

TEST_F(Bisection, IsRefusedWhereItCannotBe) {
  EXPECT_THAT(configErrorOf([&] {
                static_cast<void>(
                    wants("{from = 0, to = 40}", "minimize = [\"f\"]\nalgorithm = \"bisect\""));
              }),
              HasSubstr("explore.algorithm: wanted for bisect one objective that is an axis"));
}

}  // namespace
}  // namespace ipusim::search
