// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "sim/studies/sweep/run_sweep.h"
#include "tests/support/thrown.h"
#include "tests/sweep/folder_test.h"

namespace ipusim::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

/// A vertex on the toy machine, whose tiles hold 64 KiB.
constexpr const char* kRun = R"(
machine = "toy"
[workload]
kind = "codelet"
codelet = "copy"
type = "float"
elements = 16
tiles = [0]
)";

class SweepTest : public FolderTest {
 protected:
  SweepTest() { write("run.toml", kRun); }

  /// Runs the sweep with these axes, and returns the rows of its table. `more` stands above [axes].
  std::vector<std::string> rowsOf(const std::string& axes, const std::string& more = {}) {
    const auto file = write("sweep.toml", "run = \"run.toml\"\n" + more + "\n[axes]\n" + axes);
    const Sweep sweep = readSweep(ConfigReader::fromFile(file));
    const report::OutputFolder folder(path());
    SweepStore store(folder, identify(sweep, Engine::ClosedForm, "1"));
    WorkerPool pool({}, evaluatorOf(sweep, Engine::ClosedForm, limits));
    const auto state = runSweep(
        sweep, {}, [&](const PoolWork& work) { pool.compute(work); }, store,
        [](const SweepState&) { return StopRequest::None; });
    computed.push_back(state.done - state.before);
    counts = countsOf(store);
    writeResults(folder, sweep, store);
    return linesOf(kResultsFile);
  }
  std::string errorOf(const std::string& text) {
    const auto file = write("sweep.toml", text);
    return configErrorOf([&] { readSweep(ConfigReader::fromFile(file)); });
  }

  run::HostLimits limits;
  SweepCounts counts;
  std::vector<std::uint64_t> computed;  // points of each run
};

TEST_F(SweepTest, TheLastAxisRunsFastest) {
  const auto rows = rowsOf("workload.elements = [16, 32]\nworkload.type = [\"half\", \"float\"]\n");
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_THAT(rows[0], StartsWith("workload.elements,workload.type,status,machine.name,"));
  EXPECT_THAT(rows[1], StartsWith("16,half,ok,toy,4,"));
  EXPECT_THAT(rows[2], StartsWith("16,float,ok,"));
  EXPECT_THAT(rows[4], StartsWith("32,float,ok,"));
}

TEST_F(SweepTest, ZippedAxesRunTogetherAndInProductWithTheRest) {
  const std::string axes =
      "workload.elements = [16, 32]\nmachine.tiles = [1, 2]\nworkload.type = [\"half\", "
      "\"float\"]\n";
  const auto rows = rowsOf(axes, R"(zip = [["workload.elements", "workload.type"]])");
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_THAT(rows[0], StartsWith("workload.elements,workload.type,machine.tiles,status,"));
  EXPECT_THAT(rows[1], StartsWith("16,half,1,ok,"));
  EXPECT_THAT(rows[2], StartsWith("16,half,2,ok,"));
  EXPECT_THAT(rows[3], StartsWith("32,float,1,ok,"));
  EXPECT_THAT(rows[4], StartsWith("32,float,2,ok,"));
}

TEST_F(SweepTest, ChangesAreThoseOfAllPointsAndTheLastOneHolds) {
  const auto file = write("sweep.toml",
                          "run = \"run.toml\"\nwhere = 'workload.type == \"half\" and "
                          "machine.tiles == 64'\n[axes]\nworkload.elements = [16, 32]\n");
  const std::vector<Override> changes = {
      {"workload.type", "float"}, {"workload.type", "half"}, {"machine.tiles", "0x40"}};
  const Sweep sweep = readSweep(ConfigReader::fromFile(file), changes);
  const ConfigReader workload = sweep.configAt(1).table("workload");
  EXPECT_EQ(workload.text("type"), "half");
  EXPECT_EQ(workload.whole("elements", 0, 99), 32U);
  EXPECT_EQ(describePoint(sweep, 1), "workload.elements=32");
  std::uint64_t points = 0;
  forEachPoint(sweep, [&](std::uint64_t) { ++points; });
  EXPECT_EQ(points, 2U);
  EXPECT_NE(identify(sweep, Engine::ClosedForm, "1").config,
            identify(readSweep(ConfigReader::fromFile(file)), Engine::ClosedForm, "1").config);
}

TEST_F(SweepTest, AStatedFigureIsAColumnAndNoKeyOfTheRun) {
  const auto rows = rowsOf("workload.type = [\"half\", \"float\"]\nstated.error = [0.5, 0.25]\n",
                           "where = \"stated.error < 0.5\"\n"
                           "zip = [[\"workload.type\", \"stated.error\"]]\n");
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_THAT(rows[0], StartsWith("workload.type,stated.error,status,"));
  EXPECT_THAT(rows[1], StartsWith("float,0.25,ok,toy,"));
}

TEST_F(SweepTest, AStatedFigureBelongsToAKeyOfTheRun) {
  EXPECT_THAT(errorOf("run = \"run.toml\"\n[axes]\nworkload.type = [\"half\"]\n"
                      "stated.error = [0.5, 0.25]\n"),
              HasSubstr("axes: wanted \"stated.error\" in a list of zip with a key of the run"));
}

TEST_F(SweepTest, RefusesAChangeThatAnAxisWouldHide) {
  const auto file =
      write("sweep.toml", "run = \"run.toml\"\n[axes]\nmachine = [\"toy\", \"gc200\"]\n");
  for (const char* key : {"machine", "machine.tiles"}) {
    EXPECT_EQ(configErrorOf([&] {
                readSweep(ConfigReader::fromFile(file), {{key, "1"}});
              }),
              std::string("--set: wanted a key beside the axis machine, found ") + key);
  }
}

TEST_F(SweepTest, ABadPointIsARow) {
  const auto rows = rowsOf("workload.elements = [0, 16]\n");
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_THAT(rows[1], StartsWith("0,\"invalid: --set workload.elements: wanted"));
  EXPECT_THAT(rows[2], StartsWith("16,ok,"));
  EXPECT_EQ(counts.invalid, 1U);
  EXPECT_EQ(counts.ok, 1U);
}

TEST_F(SweepTest, APointThatDoesNotFitHasAResult) {
  const auto rows = rowsOf("workload.elements = [16, 1000000]\n");
  EXPECT_THAT(rows[0], HasSubstr(",oom.bytes_over"));
  EXPECT_THAT(rows[2], StartsWith("1000000,does_not_fit,"));
  EXPECT_EQ(counts.does_not_fit, 1U);
}

TEST_F(SweepTest, APointThatIsSurelyOverALimitIsNotRun) {
  limits.seconds = 1e-9;
  const auto rows = rowsOf("workload.elements = [16]\n");
  EXPECT_EQ(counts.failed, 1U);
  EXPECT_THAT(rows.at(1), HasSubstr("failed: not run: it would take about "));
  EXPECT_THAT(rows.at(1), HasSubstr("s, more than 1.00 ns"));
  limits.seconds.reset();
  EXPECT_THAT(rowsOf("workload.elements = [16]\n").at(1), StartsWith("16,ok,"));
}

TEST_F(SweepTest, AnAxisOfTheMachineStandsInOneColumn) {
  const auto rows = rowsOf("machine.tiles = [1, 3]\n");
  EXPECT_EQ(rows[0].find("machine.tiles", 1), std::string::npos);
  EXPECT_THAT(rows[2], StartsWith("3,ok,"));
}

TEST_F(SweepTest, GivesTheSameBytesTwice) {
  const std::string axes = "workload.elements = [0, 16, 1000000]\n";
  const auto rows = rowsOf(axes);
  std::filesystem::remove(path() / kStoreFile);
  EXPECT_EQ(rowsOf(axes), rows);
  EXPECT_THAT(computed, ElementsAre(3, 3));
}

TEST_F(SweepTest, ComputesNothingThatIsInTheStore) {
  const std::string axes = "workload.elements = [0, 16, 1000000]\n";
  const auto rows = rowsOf(axes);
  EXPECT_EQ(rowsOf(axes), rows);
  EXPECT_THAT(computed, ElementsAre(3, 0));
}

TEST_F(SweepTest, RejectsKeysItDoesNotKnow) {
  EXPECT_THAT(
      errorOf("run = \"run.toml\"\naxis = 3\n[axes]\nn = [1]\n"),
      HasSubstr("axis: wanted no key but run, axes, zip, where and explore (did you mean axes?)"));
}

TEST_F(SweepTest, WantsARunConfigAndAnAxis) {
  EXPECT_THAT(errorOf("[axes]\nn = [1]\n"), HasSubstr("run: wanted a text"));
  EXPECT_THAT(errorOf("run = \"none.toml\"\n[axes]\nn = [1]\n"), HasSubstr("run: wanted a file"));
  EXPECT_THAT(errorOf("run = \"run.toml\"\n"), HasSubstr("axes: wanted a table"));
  EXPECT_THAT(errorOf("run = \"run.toml\"\n[axes]\n"), HasSubstr("axes: wanted at least one axis"));
}

TEST_F(SweepTest, BoundsTheNumberOfPoints) {
  const std::string axis = " = {from = 1, to = 100000, count = 100000}\n";
  EXPECT_THAT(errorOf("run = \"run.toml\"\n[axes]\na" + axis + "b" + axis),
              HasSubstr("axes: wanted at most 1000000 points"));
}

Sweep shipped(const std::string& name) {
  return readSweep(ConfigReader::fromFile("configs/sweeps/" + name + ".toml"));
}

TEST(ShippedSweeps, CanBeRead) {
  const auto files = listConfigFiles("configs/sweeps");
  EXPECT_GE(files.size(), 6U);
  for (const auto& file : files) {
    EXPECT_GT(readSweep(ConfigReader::fromFile(file)).numbers(), 1U) << file;
  }
}

TEST(ShippedSweeps, SkewedProductsAreTheSameWorkButForRounding) {
  const Sweep sweep = shipped("skewed_matmul");
  const Dimension& skew = sweep.dimensions.at(1);
  ASSERT_EQ(skew.axes.size(), 2U);
  for (std::size_t i = 0; i < skew.count(); ++i) {
    const double work =
        std::stod(skew.axes[0].values[i].toml) * std::stod(skew.axes[1].values[i].toml);
    EXPECT_NEAR(work / (1024.0 * 1024.0), 1, 0.01) << i;
  }
}

TEST(ShippedSweeps, ProductsOfTheMemoryStudyAreSquare) {
  for (const char* name : {"memory_study", "memory_study_blocked"}) {
    const auto dimensions = shipped(name).dimensions;
    const auto found =
        std::find_if(dimensions.begin(), dimensions.end(),
                     [](const Dimension& dimension) { return dimension.axes.size() == 3; });
    ASSERT_NE(found, dimensions.end()) << name;
    const Dimension& sizes = *found;
    for (std::size_t i = 0; i < sizes.count(); ++i) {
      EXPECT_EQ(sizes.axes[0].values[i].toml, sizes.axes[1].values[i].toml);
      EXPECT_EQ(sizes.axes[0].values[i].toml, sizes.axes[2].values[i].toml);
    }
  }
}

/// The field of a row below `column` of the first row.
std::string fieldOf(const std::vector<std::string>& rows, std::size_t row,
                    const std::string& column) {
  const std::string& header = rows[0];
  const auto end = header.begin() + static_cast<std::ptrdiff_t>(header.find(',' + column + ','));
  std::stringstream line(rows[row]);
  std::string field;
  for (auto before = std::count(header.begin(), end, ',') + 2; before > 0; --before) {
    std::getline(line, field, ',');
  }
  return field;
}

/// A training step sums the gradients of a bias over tiles; an expensive sync reduces the number of
/// stages.
TEST_F(SweepTest, RowsOfReductionsDoNotDependOnTheOrderOfThePoints) {
  write("run.toml", R"(
machine = "gc200"
[workload]
kind = "shl_training"
hidden = "linear"
features = 64
classes = 10
batch = 400
steps = 1
epochs = 1
host_step_seconds = 0
learning_rate = 0.001
momentum = 0.9
dense = "no"
)");
  const auto up = rowsOf("machine.sync_base_cycles = [25, 1000000]\n");
  std::filesystem::remove(path() / kStoreFile);
  const auto down = rowsOf("machine.sync_base_cycles = [1000000, 25]\n");
  ASSERT_EQ(up.size(), 3U);
  EXPECT_THAT(down, ElementsAre(up[0], up[2], up[1]));
  EXPECT_NE(fieldOf(up, 1, "graph.compute_sets"), fieldOf(up, 2, "graph.compute_sets"));
}

}  // namespace
}  // namespace ipusim::sweep
