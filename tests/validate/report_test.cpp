// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

namespace ipusim::validate {
namespace {

using testing::HasSubstr;

std::vector<Verdict> verdicts() {
  std::vector<Verdict> rows = {
      {"A-1", "matmul", "GFLOP/s", 44219, Status::Ok, 44219 * 1.25, ""},
      {"A-22", "matmul", "cycles", 402.5, Status::NotExpressible, std::nullopt, "no half"},
      {"B", "sparse", "cycles", 8488, Status::NotExpressible, std::nullopt, "no half",
       Role::Calibrate}};
  rows[0].machine = "gc200";
  rows[0].source = "a paper, Table 1";
  rows[2].machine = "bow";
  return rows;
}

TEST(ValidateTable, HasALineARow) {
  const std::string text = tableText(verdicts());
  EXPECT_THAT(
      text,
      HasSubstr(
          "id    machine  kind    row is       published     predicted  unit      error %  status\n"
          "A-1   gc200    matmul  held out         44219       55273.8  GFLOP/s     +25.0  ok\n"));
  EXPECT_THAT(text, HasSubstr("\nB     bow      sparse  fitted            8488             -  "
                              "cycles          -  not_expressible\n"));
}

TEST(ValidateTable, SaysAReasonOnce) {
  EXPECT_THAT(tableText(verdicts()), HasSubstr("\nnot_expressible (A-22, B): no half\n"));
}

TEST(ValidateTable, EndsWithTheErrorsByKind) {
  const std::string text = tableText(verdicts());
  EXPECT_THAT(
      text,
      HasSubstr(
          "matmul                 1 of 2        25.0 %        25.0 %          0 %        100 %\n"
          "sparse (fitted)        0 of 1             -             -            -            -\n"));
}

TEST(ValidateTable, RoundsAnErrorToZeroWithoutASignOfItsOwn) {
  const std::string text = tableText({{"A", "k", "", 10000, Status::Ok, 9999.9, ""}});
  EXPECT_THAT(text, HasSubstr("+0.0  ok"));
}

TEST(ValidateTable, WritesLargeNumbersInFull) {
  const std::string text = tableText({{"A", "k", "", 1.2e6, Status::Ok, 1234567.75, ""}});
  EXPECT_THAT(text, HasSubstr(" 1200000 "));
  EXPECT_THAT(text, HasSubstr(" 1234568 "));
}

TEST(ValidateJson, HasRowsAndKinds) {
  const auto json = nlohmann::json::parse(jsonText(verdicts()));
  EXPECT_EQ(json.at("rows").at(0),
            nlohmann::json::parse(R"({"id": "A-1", "machine": "gc200", "kind": "matmul",
                "unit": "GFLOP/s", "published": 44219.0, "predicted": 55273.75,
                "error_percent": 25.0, "status": "ok", "role": "validate",
                "band_percent": null, "source": "a paper, Table 1"})"));
  EXPECT_EQ(json.at("rows").at(1),
            nlohmann::json::parse(R"({"id": "A-22", "machine": "", "kind": "matmul",
                "unit": "cycles", "published": 402.5, "predicted": null, "error_percent": null,
                "status": "not_expressible", "role": "validate", "band_percent": null,
                "source": "", "note": "no half"})"));
  EXPECT_EQ(json.at("kinds").at(0),
            nlohmann::json::parse(R"({"kind": "matmul", "role": "validate", "count": 1,
                "median_abs_error_percent": 25.0, "worst_abs_error_percent": 25.0,
                "within_10_percent": 0.0, "within_30_percent": 1.0})"));
  EXPECT_EQ(json.at("kinds").at(1).at("count"), 0);
  EXPECT_TRUE(json.at("kinds").at(1).at("median_abs_error_percent").is_null());
}

TEST(ValidateMarkdown, HasTheSameAsTables) {
  const std::string text = markdownText(verdicts());
  EXPECT_THAT(text, HasSubstr("| matmul | 1 of 2 | 25.0 % | 25.0 % | 0 % | 100 % |\n"));
  EXPECT_THAT(text, HasSubstr("| A-1 | held out | 44219 | 55273.8 | GFLOP/s | +25.0 % | ok |\n"));
  EXPECT_THAT(text, HasSubstr("| B | fitted | 8488 | - | cycles | - | not_expressible |\n"));
  EXPECT_THAT(text, HasSubstr("|\n\n* not_expressible: no half (A-22, B)\n"));
}

TEST(ValidateReport, SaysTheRoleOfARow) {
  const auto row = [](const std::string& id, Role role) {
    return Verdict{id, "k", "s", 1, Status::Ok, 1, "", role};
  };
  const std::vector<Verdict> rows = {row("A", Role::Calibrate), row("B", Role::Validate),
                                     row("C", Role::Constant)};
  const auto json = nlohmann::json::parse(jsonText(rows));
  for (std::size_t r = 0; r < rows.size(); ++r) {
    EXPECT_EQ(json.at("rows").at(r).at("role"), nameOf(rows[r].role));
    EXPECT_EQ(json.at("kinds").at(r).at("role"), nameOf(rows[r].role));
  }
  const std::string text = markdownText(rows);
  EXPECT_THAT(text, HasSubstr("| k (fitted) | 1 of 1 |"));
  EXPECT_THAT(text, HasSubstr("| k | 1 of 1 |"));
  EXPECT_THAT(text, HasSubstr("| k (constant) | 1 of 1 |"));
  EXPECT_THAT(text, HasSubstr("| C | constant | 1 | 1 | s | +0.0 % | ok |\n"));
}

}  // namespace
}  // namespace ipusim::validate
