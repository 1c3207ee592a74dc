// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "sim/run/check/check_experiment.h"
#include "sim/run/simulate.h"
#include "tests/support/thrown.h"

// Runs every method and pass that the planner of convolutions can choose, with real numbers through
// tile memories, against plain loops over doubles.

namespace ipusim::run {

namespace {

using workloads::PlanSummary;

struct FamilyCase {
  std::string name;
  std::string method;   ///< as the key has it
  std::string vertex;   ///< the vertex that must multiply
  std::string options;  ///< of the workload, one TOML line each
  std::string machine = "toy";
};

ConfigReader configOf(const FamilyCase& family, const std::string& operands,
                      const std::string& more = "") {
  return ConfigReader::fromText(
      fmt::format("machine = \"{}\"\n[workload]\nkind = \"conv\"\noperands = \"{}\"\nmethod = "
                  "\"{}\"\n{}{}",
                  family.machine, operands, family.method, family.options, more),
      "test");
}

bool hasVertex(const workloads::BuiltWorkload& workload, const std::string& name) {
  const auto& sets = workload.graph.computeSets();
  return std::any_of(sets.begin(), sets.end(), [&](const ComputeSet& set) {
    return std::any_of(set.families.begin(), set.families.end(), [&](const VertexFamily& family) {
      return family.type->name.find(name) != std::string::npos;
    });
  });
}

std::ostream& operator<<(std::ostream& out, const FamilyCase& family) {
  return out << family.name;
}

class ConvFamily : public testing::TestWithParam<FamilyCase> {};

TEST_P(ConvFamily, HasTheRightNumbers) {
  const FamilyCase& family = GetParam();
  for (const char* operands : {"planned", "linear"}) {
    EXPECT_TRUE(hasVertex(build(configOf(family, operands)).workload, family.vertex)) << operands;
    const NumberCheck check = checkNumbers(prepare(configOf(family, operands)));
    EXPECT_LE(check.found.relative, check.tolerance) << operands;
  }
}

const std::string kHalf = "type = \"half\"\npartials_type = \"half\"\n";
const std::string kMixed = "type = \"half\"\npartials_type = \"float\"\n";
const std::string kFloat = "type = \"float\"\n";
const std::string kChannels = "in_channels = 16\nout_channels = 24\nbatch = 2\n";
const std::string kFewChannels = "in_channels = 4\nout_channels = 4\n";
const std::string kDepthwise = "in_channels = 16\nout_channels = 16\ngroups = 16\nbatch = 2\n";
const std::string kOneByOne = "field = [6, 7]\n";
const std::string kPadded = "field = [7, 6]\nkernel = [3, 3]\npadding = [1, 1]\n";
const std::string kStrided =
    "field = [9, 10]\nkernel = [3, 3]\npadding = [1, 1]\nstride = [2, 2]\n";
const std::string kDilated =
    "field = [9, 8]\nkernel = [3, 2]\npadding = [2, 1]\ndilation = [2, 2]\n";

std::string inPass(const std::string& pass) {
  return "pass = \"" + pass + "\"\n";
}

/// The method in all passes, where each `sizes` is one layer.
void addAll(std::vector<FamilyCase>& cases, const FamilyCase& family,
            const std::vector<std::pair<std::string, std::string>>& layers) {
  for (const auto& [layer, sizes] : layers) {
    for (const std::string pass : {"inference", "forward", "backward", "weight_update"}) {
      cases.push_back({family.name + "_" + layer + "_" + pass, family.method, family.vertex,
                       family.options + sizes + inPass(pass), family.machine});
    }
  }
}

std::vector<FamilyCase> families() {
  std::vector<FamilyCase> cases;
  const std::vector<std::pair<std::string, std::string>> windows{
      {"padded", kPadded}, {"strided", kStrided}, {"dilated", kDilated}};
  addAll(cases, {"amp_float", "amp", "ConvPartial", kFloat + kChannels}, windows);
  addAll(cases, {"amp_half", "amp", "ConvPartial", kHalf + kChannels}, windows);
  addAll(cases, {"amp_mixed_groups", "amp", "ConvPartial", kMixed + kChannels + "groups = 4\n"},
         windows);
  addAll(cases, {"amp_half", "amp", "ConvPartial", kHalf + kChannels}, {{"1x1", kOneByOne}});
  cases.push_back({"amp_rows", "amp", "ConvPartial1x1Out", kHalf + kChannels + kOneByOne});
  cases.push_back({"amp_window", "amp", "ConvPartialnx1", kHalf + kChannels + kPadded});
  addAll(cases, {"hmac_float", "hmac", "HorizontalMac", kFloat + kFewChannels}, windows);
  addAll(cases, {"hmac_half", "hmac", "HorizontalMac", kHalf + kFewChannels}, windows);
  addAll(cases, {"hmac_rows", "hmac", "HorizontalMac", kMixed + kFewChannels},
         {{"1x1", kOneByOne}});
  addAll(cases, {"vmac_half", "vmac", "VerticalMac", kHalf + kDepthwise}, windows);
  addAll(cases, {"vmac_mixed", "vmac", "VerticalMac", kMixed + kDepthwise}, windows);
  const std::vector<std::pair<std::string, std::string>> plain{{"padded", kPadded},
                                                               {"strided", kStrided}};
  for (const std::string pass : {"inference", "forward", "backward"}) {
    cases.push_back({"slic_half_padded_" + pass, "slic", "1xNSLIC",
                     kHalf + kDepthwise + kPadded + inPass(pass)});
    cases.push_back({"slic_mixed_padded_" + pass, "slic", "1xNSLIC",
                     kMixed + kFewChannels + kPadded + inPass(pass)});
  }
  for (const std::string pass : {"inference", "forward"}) {
    cases.push_back({"slic_half_strided_" + pass, "slic", "1xNSLIC",
                     kHalf + kDepthwise + kStrided + inPass(pass)});
  }
  cases.push_back({"slic_on_a_chip", "slic", "1xNSLIC", kHalf + kFewChannels + kPadded, "gc200"});
  cases.push_back({"amp_on_a_chip", "amp", "ConvPartialnx1", kHalf + kChannels + kPadded, "gc200"});
  for (const std::string& types : {kFloat, kHalf}) {
    cases.push_back({types == kFloat ? "outer_product_float" : "outer_product_half",
                     "outer_product", "OuterProduct",
                     types + "in_channels = 1\nout_channels = 12\nfield = [5, 9]\n"});
  }
  cases.push_back({"outer_product_groups", "outer_product", "OuterProduct",
                   kHalf + "in_channels = 6\nout_channels = 24\ngroups = 6\nfield = [17]\n"});
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Conv, ConvFamily, testing::ValuesIn(families()),
                         [](const auto& test) { return test.param.name; });

TEST(ConvWorkload, SweepsFeedTheResultBack) {
  const FamilyCase family{"", "any", "", kHalf + kFewChannels + kPadded};
  EXPECT_TRUE(checkNumbers(prepare(configOf(family, "planned", "sweeps = 3\n"))).found.ok);
}

TEST(ConvWorkload, TheEstimateIsThatOfAllSweeps) {
  const FamilyCase family{"", "any", "", kHalf + kFewChannels + kPadded};
  const auto estimate = [&](const std::string& options) {
    return build(configOf(family, "planned", options)).workload.plan->estimated_cycles;
  };
  EXPECT_EQ(estimate("sweeps = 3\n"), estimate("") * 3);
}

TEST(ConvWorkload, TakesSerialStepsWhereMemoryIsShort) {
  const FamilyCase family{"", "any", "", kHalf + "in_channels = 64\nout_channels = 512\n" + kPadded,
                          "toy"};
  const Experiment experiment =
      prepare(configOf(family, "planned", "available_memory_proportion = 0.05\n"));
  const auto& splits = experiment.workload.plan->partition;
  const auto serial = std::find_if(splits.begin(), splits.end(), [](const auto& split) {
    return split.first == "out_chan_serial_split";
  });
  EXPECT_GT(serial->second, 1U);
  const NumberCheck check = checkNumbers(experiment);
  EXPECT_LE(check.found.relative, check.tolerance);
}

TEST(ConvWorkload, SaysWhatItDoesNotTake) {
  const auto errorOf = [](const std::string& method, const std::string& options) {
    return configErrorOf([&] { prepare(configOf({"", method, "", options}, "planned")); });
  };
  EXPECT_THAT(errorOf("slic", kFloat + kChannels + kPadded),
              testing::HasSubstr("test:5: workload.method"));
  EXPECT_THAT(errorOf("slic", kFloat + kChannels + kPadded), testing::HasSubstr("SLIC"));
  EXPECT_THAT(errorOf("any", kFloat + kChannels + "field = [3]\nkernel = [5]\n"),
              testing::HasSubstr("workload.field"));
  EXPECT_THAT(errorOf("any", kFloat + kChannels + "field = [3]\nkernel = [1, 1]\n"),
              testing::HasSubstr("workload.kernel: wanted 1 numbers"));
  EXPECT_THAT(errorOf("any", kFloat + kChannels + "field = [5]\nkernel = [3]\nsweeps = 2\n"),
              testing::HasSubstr("workload.sweeps"));
}

}  // namespace

}  // namespace ipusim::run
