// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include "tests/cli/sweep_cli_test.h"

namespace ipusim::cli {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::Not;

constexpr const char* kHeader =
    "id,machine,kind,config,metric,value,unit,role,source,locator,note\n";

class ReproduceCommand : public SweepCliTest {
 protected:
  /// A paper of two items: numbers that are near, far off, do not fit and are not expressible, and
  /// a figure over a sweep of six points.
  [[nodiscard]] std::string paper() const {
    (void)smallRun();
    (void)write(
        "rows.csv",
        std::string(kHeader) +
            "NEAR,toy,copy,\"run.toml;workload.elements={16,32}\",first(time.cycles),160,cycles,"
            "validate,me,Table 1,16 & 32\n"
            "FAR,toy,copy,\"run.toml;workload.elements={16,32}\",mean(time.cycles),1000,cycles,"
            "calibrate,me,Table 1,\n"
            "LARGE,toy,copy,run.toml;workload.elements=1000000,time.cycles,1,cycles,validate,me,"
            "Table 1,\n"
            "TYPO,toy,<other>,run.toml;workload.elemnts=4,time.cycles,1,cycles,validate,me,text,\n"
            "TILES,toy,size,run.toml,machine.tiles,4,count,constant,me,text,\n");
    (void)write(
        "sweep.toml",
        "run = \"run.toml\"\n[axes]\nworkload.elements = [16, 32, 1000000]\nworkload.type = "
        "[\"half\", \"float\"]\n");
    (void)write("plot.sh", "#!/bin/sh\ncp \"$1\" \"$2\"\n");
    EXPECT_EQ(chmod((folder() / "plot.sh").c_str(), S_IRWXU), 0);
    return write("paper.toml", R"(title = "A paper of <ours>"
source = "nowhere"
measurements = ["rows.csv"]
[items.table_1]
title = "Table 1"
text = "Cycles of copies."
rows = ["NEAR", "FAR", "LARGE"]
misses.FAR = "It is not known."
[items.text]
title = "The text"
rows = ["TYPO", "TILES"]
[items.figure_1]
title = "Figure 1"
[items.figure_1.figures.copies]
caption = "Copies."
plot = "plot.sh"
sweeps = ["sweep.toml"]
)");
  }
  [[nodiscard]] Finished reproduce(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words = {"reproduce", paper(), "--out", out(), "--jobs", "2"};
    words.insert(words.end(), more.begin(), more.end());
    return run(words);
  }
  [[nodiscard]] std::string page() const { return textOf(folder() / "out" / "index.html"); }
  /// The page without the name of the test's folder, which differs from run to run.
  [[nodiscard]] std::string pageAnywhere() const {
    std::string text = page();
    const std::string here = folder().string() + '/';
    for (std::size_t at = text.find(here); at != std::string::npos; at = text.find(here)) {
      text.erase(at, here.size());
    }
    return text;
  }
};

TEST_F(ReproduceCommand, WritesThePage) {
  const Finished finished = reproduce({"--no-plots"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out,
              EndsWith("out/index.html: 5 numbers: 2 within 10 %, 2 within 30 %, 3 missed\n"));
  EXPECT_EQ(pageAnywhere(), textOf("tests/reproduce/page.html"));
}

TEST_F(ReproduceCommand, WritesATable) {
  ASSERT_EQ(reproduce({"--no-plots"}).exit_code, 0);
  const std::string rows = table();
  EXPECT_THAT(rows, HasSubstr("\ntable_1,LARGE,toy,copy,Table 1,validate,cycles,1,,,does_not_fit,"
                              "tile 0 is "));
  EXPECT_THAT(rows, HasSubstr("\ntext,TILES,toy,size,text,constant,count,4,4,+0.0,ok,\n"));
}

TEST_F(ReproduceCommand, APageHoldsItsPictures) {
  const Finished finished = reproduce();
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(page(), HasSubstr("<img alt=\"Copies.\" src=\"data:image/png;base64,"));
}

TEST_F(ReproduceCommand, AFigureThatIsNotDrawnIsSaidInOneLine) {
  const std::string manifest = paper();
  (void)write("plot.sh", "#!/bin/sh\necho first >&2\necho no matplotlib >&2\nexit 1\n");
  const Finished finished = run({"reproduce", manifest, "--out", out(), "--item", "figure_1"});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_THAT(finished.err, HasSubstr("ipusim: 1 figure is not drawn: no matplotlib\n"));
  EXPECT_THAT(page(), HasSubstr("Not drawn: no matplotlib"));
}

TEST_F(ReproduceCommand, IsTheSameWithACache) {
  const std::string manifest = paper();
  const std::string cache = (folder() / "cache").string();
  ASSERT_EQ(run({"reproduce", manifest, "--out", out("without"), "--no-plots"}).exit_code, 0);
  for (const char* name : {"cold", "warm"}) {
    const Finished with =
        run({"reproduce", manifest, "--out", out(name), "--no-plots", "--cache", cache});
    EXPECT_EQ(with.exit_code, 0) << with.err;
    EXPECT_EQ(table(name), table("without"));
  }
  EXPECT_FALSE(std::filesystem::is_empty(cache));
}

TEST_F(ReproduceCommand, AnItemIsThePageAlone) {
  const Finished finished = reproduce({"--item", "text"});
  EXPECT_THAT(finished.out, EndsWith(": 2 numbers: 1 within 10 %, 1 within 30 %, 1 missed\n"));
  EXPECT_THAT(page(), Not(HasSubstr("Table 1")));
  EXPECT_FALSE(std::filesystem::exists(folder() / "out" / "sweeps"));
}

TEST_F(ReproduceCommand, TheRestOfThePaperGoesOnFromAnItem) {
  ASSERT_EQ(reproduce({"--item", "text", "--no-plots"}).exit_code, 0);
  const auto before = stored("out/numbers");
  ASSERT_EQ(reproduce({"--no-plots"}).exit_code, 0);
  const auto after = stored("out/numbers");
  EXPECT_GT(after.size(), before.size());
  EXPECT_GT(before.begin()->second, 0);
  for (const auto& [group, seconds] : before) EXPECT_EQ(after.at(group), seconds);
  EXPECT_EQ(pageAnywhere(), textOf("tests/reproduce/page.html"));
}

TEST_F(ReproduceCommand, ANumberIsTheSameFromASweepAndFromRunsOfItsOwn) {
  ASSERT_EQ(reproduce({"--no-plots"}).exit_code, 0);
  const std::string whole = table();
  const std::string manifest = paper();
  ASSERT_EQ(run({"reproduce", manifest, "--out", out("alone"), "--item", "table_1"}).exit_code, 0);
  const std::string alone = table("alone");
  EXPECT_THAT(alone, HasSubstr(",LARGE,"));
  EXPECT_EQ(whole.substr(0, alone.size()), alone);
}

TEST_F(ReproduceCommand, AnUnknownItemIsNamed) {
  const Finished finished = reproduce({"--item", "tabel_1"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_EQ(finished.err,
            "--item: wanted one of table_1, text, figure_1 (did you mean table_1?), found "
            "\"tabel_1\"\n");
}

TEST_F(ReproduceCommand, AManifestIsWrongInOneLine) {
  const std::string file = write("paper.toml", "title = \"T\"\nsource = \"S\"\nitmes = 1\n");
  const Finished finished = run({"reproduce", file, "--out", out()});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, MatchesRegex(".*paper.toml[^\n]*items[^\n]*\n"));
}

/// A paper whose sweep has 600 points.
class LongReproduction : public ReproduceCommand {
 protected:
  [[nodiscard]] std::vector<std::string> command(const std::string& name) const {
    const std::string manifest = paper();
    (void)manyPoints();
    return {"reproduce", manifest, "--out", out(name), "--no-plots", "--jobs", "1"};
  }
  [[nodiscard]] bool waitUntilUnderWay() const {
    return comesTrue([&] { return isUnderWay(folder() / "out" / "sweeps" / "sweep"); });
  }
  void expectTheRest(const std::map<std::int64_t, double>& before) const {
    EXPECT_FALSE(before.empty());
    EXPECT_LT(before.size(), 600U);
    EXPECT_EQ(run(command("out")).exit_code, 0);
    const auto after = stored("out/sweeps/sweep");
    EXPECT_EQ(after.size(), 600U);
    for (const auto& [point, seconds] : before) EXPECT_EQ(after.at(point), seconds) << point;
    EXPECT_EQ(run(command("whole")).exit_code, 0);
    EXPECT_EQ(page(), textOf(folder() / "whole" / "index.html"));
  }
};

TEST_F(LongReproduction, GoesOnAfterAnInterrupt) {
  IpusimProcess process(folder(), command("out"));
  ASSERT_TRUE(waitUntilUnderWay());
  process.interrupt();
  const Finished finished = process.wait();
  EXPECT_EQ(finished.exit_code, 130);
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(finished.err, HasSubstr("ipusim: interrupted; what is computed so far is in "));
  EXPECT_FALSE(std::filesystem::exists(folder() / "out" / "index.html"));
  expectTheRest(stored("out/sweeps/sweep"));
}

TEST_F(LongReproduction, GoesOnAfterAKill) {
  IpusimProcess process(folder(), command("out"));
  ASSERT_TRUE(waitUntilUnderWay());
  process.kill();
  process.wait();
  expectTheRest(stored("out/sweeps/sweep"));
}

}  // namespace
}  // namespace ipusim::cli
