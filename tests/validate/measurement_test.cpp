// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/measurement.h"

#include <gmock/gmock.h>

#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

namespace ipusim::validate {
namespace {

namespace fs = std::filesystem;
using testing::EndsWith;
using testing::HasSubstr;

constexpr const char* kHeader =
    "id,machine,kind,config,metric,value,unit,role,source,locator,note\n";
constexpr const char* kGood =
    "A-1,bow,\"matmul, half\",a.toml;n=4,time.cycles,402,cycles,validate,\"A, B\",\"p. "
    "\"\"4\"\"\",\n";

class MeasurementFile : public testing::Test {
 protected:
  std::vector<Measurement> read(const std::string& text) {
    return readMeasurements(folder_.write(file_.filename().string(), text));
  }
  std::string errorOf(const std::string& text) {
    return configErrorOf([&] { read(text); });
  }
  /// The message for the good row with one part replaced.
  std::string errorWith(const std::string& part, const std::string& other) {
    std::string row = kGood;
    row.replace(row.find(part), part.size(), other);
    return errorOf(kHeader + row);
  }

  TemporaryFolder folder_;
  fs::path file_ = folder_ / "rows.csv";
};

TEST_F(MeasurementFile, HasARowAMeasurement) {
  const auto rows = read(std::string(kHeader) + kGood);
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].file, file_);
  EXPECT_EQ(rows[0].id, "A-1");
  EXPECT_EQ(rows[0].kind, "matmul, half");
  EXPECT_EQ(rows[0].runs.config, "a.toml");
  EXPECT_EQ(rows[0].metric.path, "time.cycles");
  EXPECT_EQ(rows[0].value, 402);
  EXPECT_EQ(rows[0].role, Role::Validate);
  EXPECT_EQ(rows[0].source, "A, B");
  EXPECT_EQ(rows[0].locator, "p. \"4\"");
  EXPECT_EQ(rows[0].note, "");
}

TEST_F(MeasurementFile, HasItsColumnsInAnyOrder) {
  const auto rows = read(
      "value,id,machine,kind,config,metric,unit,role,source,locator,note\n"
      "1.5e3,A,,k,a.toml,time.cycles,,calibrate,,,\n");
  ASSERT_EQ(rows.size(), 1U);
  EXPECT_EQ(rows[0].value, 1500);
  EXPECT_EQ(rows[0].role, Role::Calibrate);
}

TEST_F(MeasurementFile, WantsEachColumnOnceAndNoOther) {
  EXPECT_THAT(errorOf(""), EndsWith(".csv:1: id: wanted a header, found nothing"));
  EXPECT_THAT(errorOf("id,machine,kind,config,metric,unit,role,source,locator,note\n"),
              EndsWith(".csv:1: value: wanted a column of that name, found nothing"));
  EXPECT_THAT(errorOf("id,id\n"), EndsWith(".csv:1: id: wanted each column once, found \"id\""));
  EXPECT_THAT(errorOf("id,metrics\n"),
              testing::AllOf(HasSubstr(".csv:1: metrics: wanted a column of id, machine,"),
                             EndsWith("(did you mean metric?), found \"metrics\"")));
}

TEST_F(MeasurementFile, WantsACellForEachColumn) {
  EXPECT_THAT(
      errorOf(std::string(kHeader) + "A-1,bow\n"),
      EndsWith(".csv:2: kind: wanted 11 cells (in quotes where they hold commas), found 2"));
  EXPECT_THAT(
      errorWith("\"A, B\"", "A, B"),
      EndsWith(".csv:2: note: wanted 11 cells (in quotes where they hold commas), found 12"));
}

TEST_F(MeasurementFile, SaysWhichCellIsWrong) {
  EXPECT_THAT(errorWith("402", "many"),
              EndsWith(".csv:2: value: wanted a number other than 0, such as 44219 or 1.2e6, "
                       "found \"many\""));
  EXPECT_THAT(errorWith("402", "1 000"), HasSubstr(".csv:2: value: wanted a number"));
  EXPECT_THAT(errorWith("402", "nan"), HasSubstr(".csv:2: value: wanted a number"));
  EXPECT_THAT(errorWith("402", "0"), HasSubstr(".csv:2: value: wanted a number other than 0"));
  EXPECT_THAT(errorWith("validate", "validat"),
              EndsWith(".csv:2: role: wanted one of calibrate, validate, constant "
                       "(did you mean validate?), found \"validat\""));
  EXPECT_THAT(errorWith("A-1", ""), HasSubstr(".csv:2: id: wanted one line of text"));
  EXPECT_THAT(errorWith("A-1", "\xff"), HasSubstr(".csv:2: cell 1: wanted text in UTF-8"));
  EXPECT_THAT(errorWith("a.toml;n=4", "a.toml;n"), HasSubstr(".csv:2: config: wanted"));
  EXPECT_THAT(errorWith("time.cycles", "ratio(x)"), HasSubstr(".csv:2: metric: wanted"));
}

TEST_F(MeasurementFile, WantsEachIdOnce) {
  EXPECT_THAT(errorOf(std::string(kHeader) + kGood + kGood),
              EndsWith(".csv:3: id: wanted each id once, found \"A-1\""));
}

TEST(ShippedMeasurements, CanBeRead) {
  const auto files = shippedMeasurements();
  EXPECT_THAT(files, testing::Contains(
                         testing::Property(&fs::path::filename, fs::path("dense_matmul.csv"))));
  for (const Measurement& row : readMeasurements(files)) {
    EXPECT_FALSE(row.source.empty()) << row.id;
    EXPECT_FALSE(row.locator.empty()) << row.id;
    EXPECT_NO_THROW(findConfigFile(row.runs.config, row.file)) << row.id;
  }
}

}  // namespace
}  // namespace ipusim::validate
