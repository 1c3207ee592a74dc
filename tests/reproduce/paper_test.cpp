// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/reproduce/paper.h"

#include <gmock/gmock.h>

#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

namespace ipusim::reproduce {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

/// A folder with all that a manifest can name.
class PaperTest : public testing::Test {
 protected:
  PaperTest() {
    folder_.write("rows.csv",
                  "id,machine,kind,config,metric,value,unit,role,source,locator,note\n"
                  "A,toy,copy,run.toml,time.cycles,1,cycles,validate,,,\n"
                  "B,toy,copy,run.toml,time.seconds,1,s,validate,,,\n");
    folder_.write("sweep.toml", "");
    folder_.write("plot.py", "");
  }

  [[nodiscard]] Paper read(const std::string& items) const {
    const auto file = folder_.write(
        "paper.toml", "title = \"T\"\nsource = \"S\"\nmeasurements = [\"rows.csv\"]\n" + items);
    return readPaper(ConfigReader::fromFile(file), "paper.toml");
  }
  [[nodiscard]] std::string errorOf(const std::string& items) const {
    return configErrorOf([&] { (void)read(items); });
  }

  const TemporaryFolder& folder() const { return folder_; }

 private:
  TemporaryFolder folder_;
};

constexpr const char* kFigure =
    "[items.a.figures.f]\ncaption = \"C\"\nplot = \"plot.py\"\nsweeps = [\"sweep.toml\"]\n";

TEST_F(PaperTest, KeepsItemsAndNumbersInTheirOrder) {
  const Paper paper = read(
      "[items.z]\ntitle = \"Z\"\nrows = [\"B\"]\n"
      "[items.a]\ntitle = \"A\"\nrows = [\"A\"]\nmisses.A = \"why\"\n");
  ASSERT_EQ(paper.items.size(), 2U);
  EXPECT_EQ(paper.items[0].name, "z");
  EXPECT_EQ(paper.items[1].misses.at("A"), "why");
  ASSERT_EQ(paper.numbers.size(), 2U);
  EXPECT_EQ(paper.numbers[0].id, "B");
  EXPECT_THAT(paper.items[0].numbers, ElementsAre(0U));
  EXPECT_THAT(paper.items[1].numbers, ElementsAre(1U));
}

TEST_F(PaperTest, HasASweepThatFiguresShareOnce) {
  const Paper paper =
      read(std::string("[items.a]\ntitle = \"A\"\n") + kFigure +
           "[items.a.figures.g]\ncaption = \"C\"\nplot = \"plot.py\"\nsweeps = [\"sweep.toml\"]\n"
           "options = [\"--x\", \"y\"]\n");
  ASSERT_EQ(paper.sweeps.size(), 1U);
  EXPECT_EQ(paper.sweeps[0].name, "sweep");
  ASSERT_EQ(paper.items[0].figures.size(), 2U);
  EXPECT_THAT(paper.items[0].figures[1].sweeps, ElementsAre(0U));
  EXPECT_THAT(paper.items[0].figures[1].options, ElementsAre("--x", "y"));
}

TEST_F(PaperTest, LeavesOutItemsThatAreNotAskedFor) {
  const Paper paper = read("[items.z]\ntitle = \"Z\"\nrows = [\"B\"]\n[items.a]\ntitle = \"A\"\n");
  EXPECT_EQ(withItems(paper, {}).items.size(), 2U);
  const Paper some = withItems(paper, {"a"});
  ASSERT_EQ(some.items.size(), 1U);
  EXPECT_EQ(some.items[0].name, "a");
  EXPECT_EQ(some.numbers.size(), 1U) << "places of numbers stay";
}

TEST_F(PaperTest, NamesTheItemsWhereOneIsUnknown) {
  const Paper paper = read("[items.table_2]\ntitle = \"Z\"\n[items.a]\ntitle = \"A\"\n");
  EXPECT_EQ(configErrorOf([&] { (void)withItems(paper, {"tabel_2"}); }),
            "--item: wanted one of table_2, a (did you mean table_2?), found \"tabel_2\"");
}

TEST_F(PaperTest, RefusesAKeyThatNobodyReads) {
  EXPECT_THAT(errorOf("[items.a]\ntitle = \"A\"\nrow = [\"A\"]\n"),
              testing::ContainsRegex("paper.toml:6: items.a.row: wanted .*rows.*found"));
}

TEST_F(PaperTest, RefusesAnUnknownRow) {
  EXPECT_THAT(errorOf("[items.a]\ntitle = \"A\"\nrows = [\"A\", \"BB\"]\n"),
              HasSubstr("paper.toml:6: items.a.rows: wanted ids of rows in the measurements, not "
                        "\"BB\""));
}

TEST_F(PaperTest, RefusesARowOfTwoItems) {
  EXPECT_THAT(errorOf("[items.a]\ntitle = \"A\"\nrows = [\"A\"]\n"
                      "[items.b]\ntitle = \"B\"\nrows = [\"A\"]\n"),
              HasSubstr("paper.toml:9: items.b.rows: wanted each row in one item, once, not A"));
}

TEST_F(PaperTest, RefusesFilesThatAreNotThere) {
  EXPECT_THAT(errorOf("[items.a]\ntitle = \"A\"\n[items.a.figures.f]\ncaption = \"C\"\nplot = "
                      "\"plot.py\"\nsweeps = [\"none.toml\"]\n"),
              HasSubstr("paper.toml:9: items.a.figures.f.sweeps: wanted files that are there, not "
                        "\"none.toml\""));
  EXPECT_THAT(errorOf("[items.a]\ntitle = \"A\"\n[items.a.figures.f]\ncaption = \"C\"\nplot = "
                      "\"none.py\"\nsweeps = [\"sweep.toml\"]\n"),
              HasSubstr("paper.toml:8: items.a.figures.f.plot: wanted"));
}

TEST_F(PaperTest, RefusesTwoSweepsOfOneName) {
  std::filesystem::create_directory(folder() / "other");
  folder().write("other/sweep.toml", "");
  EXPECT_THAT(errorOf("[items.a]\ntitle = \"A\"\n[items.a.figures.f]\ncaption = \"C\"\nplot = "
                      "\"plot.py\"\nsweeps = [\"sweep.toml\", \"other/sweep.toml\"]\n"),
              HasSubstr("wanted files of different names, not another sweep"));
}

TEST_F(PaperTest, RefusesAFigureOfNothing) {
  EXPECT_THAT(errorOf("[items.a]\ntitle = \"A\"\n[items.a.figures.f]\ncaption = \"C\"\nplot = "
                      "\"plot.py\"\n"),
              HasSubstr("wanted at least one sweep, or rows of the item to draw"));
}

TEST_F(PaperTest, RefusesAMissOfAnotherItem) {
  EXPECT_THAT(errorOf("[items.a]\ntitle = \"A\"\nrows = [\"A\"]\nmisses.B = \"why\"\n"),
              HasSubstr("paper.toml:7: items.a.misses.B: wanted the id of a row of the item"));
}

TEST_F(PaperTest, RefusesNamesThatAreNoFileNames) {
  EXPECT_THAT(errorOf("[items.\"../a\"]\ntitle = \"A\"\n"),
              HasSubstr("wanted a name of letters, digits, - and _"));
  EXPECT_THAT(errorOf("[items.\"\"]\ntitle = \"A\"\n"),
              HasSubstr("wanted a name of letters, digits, - and _"));
}

TEST_F(PaperTest, WantsAnItem) {
  EXPECT_THAT(errorOf("[items]\n"), HasSubstr("items: wanted at least one item"));
  EXPECT_THAT(errorOf(""), HasSubstr("items: wanted"));
}

TEST(ShippedPapers, HaveAllThatTheyName) {
  const auto files = listConfigFiles("configs/papers");
  ASSERT_FALSE(files.empty());
  for (const auto& file : files) {
    const Paper paper = readPaper(ConfigReader::fromFile(file), file.string());
    EXPECT_GT(paper.numbers.size(), 60U) << file;
  }
}

}  // namespace
}  // namespace ipusim::reproduce
