// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/validate/metric.h"

#include <gmock/gmock.h>

#include <cmath>

#include "tests/support/thrown.h"

namespace ipusim::validate {
namespace {

using testing::HasSubstr;

Metric read(const std::string& text) {
  return parseMetric({"m.csv:2: metric", text});
}

const nlohmann::ordered_json& result() {
  static const auto kResult = nlohmann::ordered_json::parse(R"({
    "fits": true, "oom": null,
    "time": {"cycles": 600, "seconds": 0.25},
    "steps": [{"name": "a/Pre", "cycles": 100}, {"name": "a", "cycles": 500}]})");
  return kResult;
}

double valueOf(const std::string& text) {
  return valueIn(result(), read(text));
}

std::string missing(const std::string& text) {
  return configErrorOf([&] { valueOf(text); });
}

TEST(Metric, IsANumberAtAPath) {
  EXPECT_EQ(valueOf("time.cycles"), 600);
  EXPECT_EQ(valueOf(" time.seconds "), 0.25);
}

TEST(Metric, FindsAnElementByIndexOrName) {
  EXPECT_EQ(valueOf("steps.0.cycles"), 100);
  EXPECT_EQ(valueOf("steps.a.cycles"), 500);
  EXPECT_EQ(valueOf("steps.a/Pre.cycles"), 100);
}

TEST(Metric, IsTheQuotientOfTwoPaths) {
  EXPECT_EQ(valueOf("time.cycles / time.seconds"), 2400);
  EXPECT_EQ(valueOf("steps.a.cycles / steps.a/Pre.cycles"), 5);
}

TEST(Metric, IsNotThereWhereAKeyIsNot) {
  EXPECT_EQ(missing("time.cycels"), "metric time.cycels: wanted a number, found no key \"cycels\"");
  EXPECT_THAT(missing("time.cycles.deeper"), HasSubstr("no key \"deeper\""));
  EXPECT_THAT(missing("time.cycles / plan.estimated_cycles"), HasSubstr("no key \"plan\""));
  EXPECT_THAT(missing("steps.2.cycles"), HasSubstr("no key \"2\""));
  EXPECT_THAT(missing("steps.b.cycles"), HasSubstr("no key \"b\""));
}

TEST(Metric, IsNotThereWhereThereIsNoNumber) {
  EXPECT_EQ(missing("oom"), "metric oom: wanted a number, found none");
  EXPECT_THAT(missing("time"), HasSubstr("found object"));
  EXPECT_THAT(missing("fits"), HasSubstr("found boolean"));
}

TEST(Metric, TheSmallestTimeOrSizeIsTheBest) {
  for (const char* small :
       {"time.seconds", "time.cycles", "compare.a30.low_seconds", "memory.max_tile_bytes",
        "work.flops / time.seconds", "ratio(time.cycles | n=1)"}) {
    EXPECT_EQ(read(small).summary, Summary::Smallest) << small;
  }
  for (const char* large : {"work.gflops_per_second", "work.peak_fraction", "graph.edges",
                            "time.cycles / graph.edges", "ratio(work.flops | n=cycles)"}) {
    EXPECT_EQ(read(large).summary, Summary::Largest) << large;
  }
}

TEST(Metric, ARatioNamesItsBaseline) {
  const Metric metric = read("ratio(time.cycles / time.seconds | kind=dense; n={1,2})");
  EXPECT_EQ(metric.path, "time.cycles");
  EXPECT_EQ(metric.divisor, "time.seconds");
  ASSERT_EQ(metric.baseline.size(), 2U);
  EXPECT_EQ(metric.baseline[0].key, "kind");
  EXPECT_THAT(metric.baseline[1].values, testing::ElementsAre("1", "2"));
}

TEST(Metric, HasACondition) {
  const Metric metric = read("config.n where time.cycles < 2.5");
  EXPECT_EQ(metric.path, "config.n");
  EXPECT_EQ(metric.summary, Summary::Smallest);
  ASSERT_TRUE(metric.where.has_value());
  EXPECT_EQ(metric.where->path, "time.cycles");
  EXPECT_DOUBLE_EQ(metric.where->bound, 2.5);
  EXPECT_TRUE(counts({{"time", {{"cycles", 2}}}}, metric));
  EXPECT_FALSE(counts({{"time", {{"cycles", 2.5}}}}, metric));
  EXPECT_TRUE(counts({}, read("time.cycles")));
}

TEST(Metric, HasAConditionOfTheOtherSide) {
  const Metric metric = read("config.n where time.cycles > 2");
  EXPECT_TRUE(counts({{"time", {{"cycles", 3}}}}, metric));
  EXPECT_FALSE(counts({{"time", {{"cycles", 2}}}}, metric));
}

TEST(Metric, NamesASummary) {
  const Metric metric = read("mean(time.seconds / dense.seconds)");
  EXPECT_EQ(metric.path, "time.seconds");
  EXPECT_EQ(metric.divisor, "dense.seconds");
  EXPECT_EQ(metric.summary, Summary::Mean);
  EXPECT_EQ(read("deviation(a)").summary, Summary::Deviation);
  EXPECT_EQ(read("first(a)").summary, Summary::First);
  EXPECT_EQ(read("largest(time.seconds)").summary, Summary::Largest);
  EXPECT_EQ(read("smallest(a)").summary, Summary::Smallest);
  EXPECT_EQ(read("ratio(mean(time.seconds) | n=1)").summary, Summary::Mean);
}

TEST(Metric, SummarisesValues) {
  const std::vector<double> values = {3, 1, 5, 7};
  EXPECT_EQ(summaryOf(values, Summary::First), 3);
  EXPECT_EQ(summaryOf(values, Summary::Smallest), 1);
  EXPECT_EQ(summaryOf(values, Summary::Largest), 7);
  EXPECT_EQ(summaryOf(values, Summary::Mean), 4);
  EXPECT_DOUBLE_EQ(*summaryOf(values, Summary::Deviation), std::sqrt(20.0 / 3));
  EXPECT_FALSE(summaryOf({}, Summary::Mean).has_value());
  EXPECT_FALSE(summaryOf({1}, Summary::Deviation).has_value());
}

TEST(Metric, SaysWhatIsWrongWithIt) {
  const auto error_of = [](const std::string& text) { return configErrorOf([&] { read(text); }); };
  EXPECT_EQ(
      error_of("time cycles"),
      "m.csv:2: metric: wanted a metric: time.cycles, A / B, A where B < NUMBER, mean(METRIC) or "
      "ratio(METRIC | key=value), found \"time cycles\"");
  for (const char* text : {"", ".a", "a.", "a..b", "a / ", " / b", "a / b / c"}) {
    EXPECT_THAT(error_of(text), HasSubstr("wanted a metric")) << text;
  }
  for (const char* text : {"a where b", "a where b < c", "a where < 1", "a where b < 1 2"}) {
    EXPECT_THAT(error_of(text), HasSubstr("wanted a condition")) << text;
  }
  EXPECT_THAT(error_of("mean(a"), HasSubstr("wanted mean(METRIC)"));
  EXPECT_THAT(error_of("mean(mean(a))"), HasSubstr("wanted a metric"));
  EXPECT_THAT(error_of("ratio(a)"), HasSubstr("wanted ratio(METRIC | key=value"));
  EXPECT_THAT(error_of("ratio(a | n=1"), HasSubstr("wanted ratio(METRIC | key=value"));
  EXPECT_THAT(error_of("ratio(a | n)"), HasSubstr("wanted overrides key=value"));
}

}  // namespace
}  // namespace ipusim::validate
