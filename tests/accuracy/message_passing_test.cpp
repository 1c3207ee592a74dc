// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <vector>

#include "sim/studies/validate/evaluate.h"

// Gathers and scatters in loops of a framework, against cycles of one Bow.
// docs/studies/message-passing.md has all rows.

namespace ipusim::validate {
namespace {

/// One row in so many is run.
constexpr std::size_t kSampled = 29;

std::vector<double> errorsOf(const std::string& operation) {
  std::vector<Measurement> rows =
      readMeasurements(std::filesystem::path("configs/measurements/message_passing/bow.csv"));
  std::size_t number = 0;
  rows.erase(std::remove_if(rows.begin(), rows.end(),
                            [&](const Measurement& row) {
                              return row.kind.rfind(operation, 0) != 0 || number++ % kSampled != 0;
                            }),
             rows.end());
  std::vector<double> errors;
  for (const Verdict& verdict : validate(rows, {})) {
    EXPECT_EQ(verdict.status, Status::Ok) << verdict.id << ": " << verdict.note;
    errors.push_back(std::abs(verdict.errorPercent().value_or(1e9)));
  }
  std::sort(errors.begin(), errors.end());
  return errors;
}

class MessagePassingRows : public testing::TestWithParam<const char*> {};

TEST_P(MessagePassingRows, AreMetWithinEightPercentInTheMedianAndFortyAtWorst) {
  const std::vector<double> errors = errorsOf(GetParam());
  ASSERT_GT(errors.size(), 20U);
  EXPECT_LE(errors[errors.size() / 2], 8);
  EXPECT_LE(errors.back(), 40);
}

INSTANTIATE_TEST_SUITE_P(Operations, MessagePassingRows, testing::Values("gather", "scatter add"),
                         [](const auto& test) {
                           return std::string(test.param) == "gather" ? "Gather" : "ScatterAdd";
                         });

}  // namespace
}  // namespace ipusim::validate
