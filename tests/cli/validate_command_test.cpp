// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "tests/cli/cli_test_base.h"

namespace ipusim::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

constexpr const char* kValidateCommandHeader =
    "id,machine,kind,config,metric,value,unit,role,source,locator,note\n";

class ValidateCommand : public CliTest {
 protected:
  /// Rows of vertices that fit and take more than a cycle, one that does not fit, and one with an
  /// unknown key.
  [[nodiscard]] std::string measurements() const {
    (void)smallRun();
    return write("m.csv", std::string(kValidateCommandHeader) +
                              "FITS,toy,copy,\"run.toml;workload.elements={16,32}\",time.cycles,1,"
                              "cycles,validate,,,\n"
                              "LARGE,toy,copy,run.toml;workload.elements=1000000,time.cycles,1,"
                              "cycles,validate,,,\n"
                              "TYPO,toy,\"other, kind\",run.toml;workload.elemnts=4,time.cycles,1,"
                              "cycles,validate,,,\n");
  }
};

TEST_F(ValidateCommand, TakesAnotherValueForAKeyOfAllRuns) {
  const auto predicted = [this](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"validate", "--json", "--measurements", measurements()};
    words.insert(words.end(), more.begin(), more.end());
    return nlohmann::json::parse(run(words).out)["rows"][0]["predicted"].get<double>();
  };
  // The row has a value of its own for the key, which the option replaces.
  EXPECT_LT(predicted({}), predicted({"--set", "workload.elements=1024"}));
}

TEST_F(ValidateCommand, NamesTheLineOfACellThatIsNoUtf8) {
  (void)smallRun();
  const std::string file = write("m.csv", std::string(kValidateCommandHeader) +
                                              "A,GC200\xff,k,run.toml,time.cycles,1,cycles,"
                                              "validate,s,l,n\n");
  for (const char* form : {"--json", "--markdown"}) {
    const Finished finished = run({"validate", form, "--measurements", file});
    EXPECT_EQ(finished.exit_code, 2);
    EXPECT_EQ(finished.err, file + ":2: cell 2: wanted text in UTF-8, found \"GC200\\xff\"\n");
  }
}

TEST_F(ValidateCommand, PrintsALineARow) {
  const Finished finished = run({"validate", "--measurements", measurements()});
  EXPECT_EQ(finished.exit_code, 0);
  EXPECT_EQ(finished.err, "");
  std::istringstream lines(finished.out);
  std::vector<std::string> found;
  for (std::string line; std::getline(lines, line);) found.push_back(line);
  ASSERT_GE(found.size(), 4U);
  EXPECT_THAT(
      found[0],
      MatchesRegex("id +machine +kind +row is +published +predicted +unit +error % +status"));
  EXPECT_THAT(found[1], MatchesRegex("FITS .*held out +1 +[0-9]+ +.* +[+][0-9.]+ +ok"));
  EXPECT_THAT(found[2], MatchesRegex("LARGE .*held out +1 +- .* - +does_not_fit"));
  EXPECT_THAT(found[3], MatchesRegex("TYPO .*held out +1 +- .* - +not_expressible"));
}

TEST_F(ValidateCommand, SaysWhyARowHasNoPrediction) {
  const std::string out = run({"validate", "--measurements", measurements()}).out;
  EXPECT_THAT(out, HasSubstr("\ndoes_not_fit (LARGE): tile 0 is "));
  EXPECT_THAT(out, HasSubstr("\nnot_expressible (TYPO): --set workload.elemnts: wanted elements"));
}

TEST_F(ValidateCommand, ASpreadOnStandardOutputStandsBeforeTheAnswer) {
  const Finished finished =
      run({"validate", "--measurements", measurements(), "--spread", "/proc/self/fd/1"});
  EXPECT_EQ(finished.exit_code, 0) << finished.err;
  EXPECT_THAT(finished.out, StartsWith("# Written by `ipusim validate --spread FILE`"));
  EXPECT_THAT(finished.out, HasSubstr("\nFITS "));
}

TEST_F(ValidateCommand, ASpreadGoesThroughALink) {
  const std::string target = write("target", "old");
  std::filesystem::create_symlink(target, folder() / "link");
  const std::string link = (folder() / "link").string();
  EXPECT_EQ(run({"validate", "--measurements", measurements(), "--spread", link}).exit_code, 0);
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_THAT(textOf(target), StartsWith("# Written by"));
}

TEST_F(ValidateCommand, ASpreadThatCannotBeWrittenIsAnErrorBeforeTheRuns) {
  const std::string file = write("file", "");
  const std::string broken = write("broken.csv", "id\n");
  const Finished finished =
      run({"validate", "--measurements", broken, "--spread", file + "/below"});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_THAT(finished.err, StartsWith(file + ": wanted a folder"));
}

TEST_F(ValidateCommand, PrintsOneJsonObject) {
  const Finished finished = run({"validate", "--json", "--measurements", measurements()});
  const auto json = nlohmann::json::parse(finished.out);
  std::vector<std::string> statuses;
  for (const auto& row : json.at("rows")) statuses.push_back(row.at("status"));
  EXPECT_THAT(statuses, ElementsAre("ok", "does_not_fit", "not_expressible"));
  EXPECT_EQ(json.at("kinds").at(0).at("kind"), "copy");
  EXPECT_EQ(json.at("kinds").at(0).at("count"), 1);
  EXPECT_EQ(json.at("kinds").at(1).at("kind"), "other, kind");
  EXPECT_EQ(json.at("kinds").at(1).at("count"), 0);
}

TEST_F(ValidateCommand, BothEnginesGiveTheSameBytes) {
  const std::string file = measurements();
  const std::string closed = run({"validate", "--measurements", file}).out;
  EXPECT_EQ(run({"validate", "--measurements", file, "--engine", "systemc"}).out, closed);
  EXPECT_EQ(run({"validate", "--measurements", file, "--engine", "closed-form"}).out, closed);
}

TEST_F(ValidateCommand, TakesSeveralFilesInOrder) {
  const std::string first = measurements();
  const std::string second =
      write("n.csv", std::string(kValidateCommandHeader) +
                         "NEXT,,copy,run.toml,time.cycles,1,cycles,validate,,,\n");
  const Finished finished =
      run({"validate", "--markdown", "--measurements", first, "--measurements", second});
  EXPECT_THAT(finished.out, StartsWith("| kind | rows ok |"));
  EXPECT_LT(finished.out.find("| TYPO | "), finished.out.find("| NEXT | "));
}

TEST_F(ValidateCommand, ABrokenFileEndsInOneLine) {
  const std::string file = write("m.csv", std::string(kValidateCommandHeader) +
                                              "A,,copy,run.toml,time.cycles,many,c,validate,,,\n");
  const Finished finished = run({"validate", "--measurements", file});
  EXPECT_EQ(finished.exit_code, 2);
  EXPECT_EQ(finished.out, "");
  EXPECT_THAT(finished.err, MatchesRegex(".*m.csv:2: value: wanted a number other than 0, such as "
                                         "44219 or 1.2e6, found \"many\"\n"));
}

TEST_F(ValidateCommand, AnInterruptEndsWith130AndPrintsNothing) {
  (void)smallRun();
  std::string rows = kValidateCommandHeader;
  for (int i = 0; i < 40; ++i) {
    rows += "R" + std::to_string(i) + ",,copy,\"run.toml;workload.elements={";
    for (int n = 1; n < 2000; ++n) rows += std::to_string(2000 * i + n) + ',';
    rows += "1}\",time.cycles,1,cycles,validate,,,\n";
  }
  IpusimProcess process(folder(), {"validate", "--measurements", write("m.csv", rows)});
  std::this_thread::sleep_for(std::chrono::milliseconds(300));  // 80,000 runs take much longer
  process.interrupt();
  const Finished finished = process.wait();
  EXPECT_EQ(finished.exit_code, 130);
  EXPECT_EQ(finished.out, "");
}

}  // namespace
}  // namespace ipusim::cli
