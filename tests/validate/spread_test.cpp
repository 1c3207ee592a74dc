// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/spread.h"

#include <gmock/gmock.h>

namespace ipusim::validate {
namespace {

using testing::HasSubstr;
using testing::Not;

Verdict row(const std::string& prediction, double predicted, Role role = Role::Validate) {
  Verdict verdict;
  verdict.published = 100;
  verdict.predicted = predicted;
  verdict.role = role;
  verdict.prediction = prediction;
  return verdict;
}

TEST(Spread, IsTheRootMeanSquareOfLogarithms) {
  // ln 1.1 = 0.0953, ln 0.9 = -0.1054.
  const std::string text = spreadText({row("matmul float", 110), row("matmul float", 90)});
  EXPECT_THAT(text, HasSubstr("[\"matmul float\"]\nrows = 2\nspread_percent = 10.05\n"));
  EXPECT_THAT(text, HasSubstr("[\"any run\"]\nrows = 2\nspread_percent = 10.05\n"));
  EXPECT_THAT(text, Not(HasSubstr("any program")));
}

TEST(Spread, LeavesOutWhatWasFittedAndWhatIsNotOfOneRun) {
  const std::string text =
      spreadText({row("gpu gemm", 110), row("gpu gemm", 200, Role::Calibrate), row("", 300)});
  EXPECT_THAT(text, HasSubstr("[\"gpu gemm\"]\nrows = 1\nspread_percent = 9.53\n"));
  EXPECT_THAT(text, HasSubstr("[\"any program\"]\nrows = 1\nspread_percent = 9.53\n"));
}

TEST(Spread, NamesTheRowsOfARunWithTheirSizes) {
  Verdict verdict = row("matmul float", 110);
  verdict.id = "F-1";
  verdict.sizes = {{"m", 64}, {"density", 0.5}};
  EXPECT_THAT(spreadText({verdict}),
              HasSubstr("[\"matmul float\".measured]\n"
                        "\"F-1\" = { error_percent = 9.53, density = 0.5, m = 64 }\n"));
}

TEST(Spread, PutsErrorsOnSeveralIpusDownToTheShareOfLinks) {
  Verdict verdict = row("any links", 110);
  verdict.share = 0.2;  // ln(1 + 0.1 / 0.2) = 0.4055
  const std::string text = spreadText({verdict, row("matmul float", 110)});
  EXPECT_THAT(text, HasSubstr("[\"any links\"]\nrows = 1\nspread_percent = 40.55\n"));
  EXPECT_THAT(text, HasSubstr("[\"any run\"]\nrows = 1\nspread_percent = 9.53\n"));
}

TEST(Spread, BlamesLinksForNoErrorOfComputing) {
  Verdict known = row("any links", 120);
  known.computing = "stencil float";
  Verdict unknown = row("any links", 300);
  unknown.computing = "conv half";
  const std::string text = spreadText({unknown, known, row("conv half", 150)});
  EXPECT_THAT(text, HasSubstr("[\"any links\"]\nrows = 1\nspread_percent = 18.23\n"));
  EXPECT_THAT(text, HasSubstr("[\"conv half\"]\nrows = 1\nspread_percent = 40.55\n"));
}

}  // namespace
}  // namespace ipusim::validate
