// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>

#include "sim/run/check/check_experiment.h"
#include "sim/run/simulate.h"

// Runs every family of plans that the planner can choose, with real numbers through tile memories.

namespace ipusim::run {

namespace {

using workloads::PlanSummary;

struct FamilyCase {
  std::string name;
  std::string machine;
  std::string options;  ///< options of the workload, one TOML line each
  std::string method;   ///< the method that the plan must have, or the case tests nothing
  /// A split of the plan that must be above one; none for a plan without serial steps.
  std::string split;
};

Experiment experimentOf(const FamilyCase& family, const std::string& operands) {
  return prepare(
      ConfigReader::fromText(fmt::format("machine = \"{}\"\n[workload]\nkind = \"matmul\"\n"
                                         "operands = \"{}\"\n{}",
                                         family.machine, operands, family.options),
                             "test"));
}

std::uint64_t splitOf(const PlanSummary& plan, const std::string& key) {
  const auto found = std::find_if(plan.partition.begin(), plan.partition.end(),
                                  [&key](const auto& split) { return split.first == key; });
  return found == plan.partition.end() ? 0 : found->second;
}

class MatmulFamily : public testing::TestWithParam<FamilyCase> {};

TEST_P(MatmulFamily, HasTheRightNumbers) {
  const FamilyCase& family = GetParam();
  for (const char* operands : {"planned", "linear"}) {
    const Experiment experiment = experimentOf(family, operands);
    const PlanSummary& plan = *experiment.workload.plan;
    EXPECT_EQ(plan.choices.front().second, family.method) << operands;
    if (family.split.empty()) {
      EXPECT_EQ(splitOf(plan, "out_chan_serial_split") * splitOf(plan, "in_chan_serial_split"), 1U);
    } else {
      EXPECT_GT(splitOf(plan, family.split), 1U);
    }
    const NumberCheck check = checkNumbers(experiment);
    EXPECT_LE(check.found.relative, check.tolerance) << operands;
  }
}

constexpr const char* kMatmulFloat = "type = \"float\"\n";
constexpr const char* kMatmulHalf = "type = \"half\"\npartials_type = \"half\"\n";
constexpr const char* kMatmulMixed = "type = \"half\"\npartials_type = \"float\"\n";

std::string sizes(std::uint64_t m, std::uint64_t k, std::uint64_t n) {
  return fmt::format("m = {}\nk = {}\nn = {}\n", m, k, n);
}
std::string options(const std::string& types, const std::string& size, const std::string& more) {
  return types + size + more;
}

const std::string kSmall = sizes(33, 70, 47);
const std::string kAmp = "method = \"amp\"\n";
const std::string kHmac = "method = \"hmac\"\n";
const std::string kOuter = "method = \"outer_product\"\n";
const std::string kLittleMemory = "available_memory_proportion = 0.02\n";
const std::string kLeastMemory = "available_memory_proportion = 0\n";

std::vector<FamilyCase> matmulFamilies() {
  const std::string out = "out_chan_serial_split";
  const std::string in = "in_chan_serial_split";
  const std::string group = "conv_group_split";
  return {
      {"amp_float", "gc200", options(kMatmulFloat, kSmall, kAmp), "AMP", ""},
      {"amp_half", "gc200", options(kMatmulHalf, kSmall, kAmp), "AMP", ""},
      {"amp_half_float", "gc200", options(kMatmulMixed, kSmall, kAmp), "AMP", ""},
      {"amp_groups", "gc200", options(kMatmulFloat, kSmall, kAmp + "groups = 5\n"), "AMP", ""},
      {"amp_float_output", "toy", options(kMatmulMixed, kSmall, kAmp + "output_type = \"float\"\n"),
       "AMP", ""},
      {"amp_staged", "gc200", options(kMatmulFloat, sizes(4, 5'000, 4), kAmp), "AMP", ""},
      {"hmac_float", "gc200", options(kMatmulFloat, kSmall, kHmac), "HMAC", ""},
      {"hmac_half", "gc200", options(kMatmulHalf, kSmall, kHmac), "HMAC", ""},
      {"hmac_half_float", "gc200", options(kMatmulMixed, kSmall, kHmac), "HMAC", ""},
      {"hmac_groups", "gc200", options(kMatmulHalf, kSmall, kHmac + "groups = 3\n"), "HMAC", ""},
      {"outer_float", "gc200", options(kMatmulFloat, sizes(33, 1, 47), kOuter), "outer product",
       ""},
      {"outer_half", "gc200", options(kMatmulHalf, sizes(33, 1, 47), kOuter), "outer product", ""},
      {"outer_groups", "toy", options(kMatmulHalf, sizes(33, 1, 47), kOuter + "groups = 3\n"),
       "outer product", ""},
      {"outer_steps", "toy", options(kMatmulFloat, kSmall, kOuter), "outer product", in},
      {"out_steps_float", "toy", options(kMatmulFloat, sizes(64, 128, 96), kLittleMemory), "AMP",
       out},
      {"out_steps_half", "toy", options(kMatmulHalf, sizes(96, 32, 256), kLittleMemory), "AMP",
       out},
      {"out_steps_half_float", "toy", options(kMatmulMixed, sizes(64, 128, 96), kLittleMemory),
       "AMP", out},
      {"out_steps_hmac", "toy", options(kMatmulHalf, sizes(64, 128, 96), kLeastMemory), "HMAC",
       out},
  };
}

INSTANTIATE_TEST_SUITE_P(Families, MatmulFamily, testing::ValuesIn(matmulFamilies()),
                         [](const auto& test) { return test.param.name; });

struct FamilyShape {
  std::uint64_t m;
  std::uint64_t k;
  std::uint64_t n;
};

/// A product in steps that do not divide its groups of channels: the last step ends in padding.
struct UnevenCase {
  std::string name;
  FamilyShape shape;
  std::string options;
  std::string weights;  ///< "left" or "right"
  std::string split;
  std::string parallel;  ///< the parallel split of the same channels
};

class UnevenSteps : public testing::TestWithParam<UnevenCase> {};

/// The groups of channels that the plan's loop covers.
std::uint64_t groupsInLoop(const UnevenCase& uneven, const PlanSummary& plan) {
  if (uneven.split == "in_chan_serial_split") {
    return ceilDiv(uneven.shape.k, splitOf(plan, "in_chans_per_group"));
  }
  const std::uint64_t chans = uneven.weights == "left" ? uneven.shape.m : uneven.shape.n;
  return ceilDiv(chans, splitOf(plan, "partial_chans_per_group"));
}

/// The plan must loop as the case wants it, or the case tests nothing.
void expectUneven(const UnevenCase& uneven, const PlanSummary& plan) {
  EXPECT_EQ(plan.choices.at(1).second, uneven.weights);
  ASSERT_GT(splitOf(plan, uneven.split), 1U);
  EXPECT_NE(groupsInLoop(uneven, plan) % splitOf(plan, uneven.split), 0U);
  if (!uneven.parallel.empty()) {
    EXPECT_GT(splitOf(plan, uneven.parallel), 1U);
  }
}

TEST_P(UnevenSteps, HaveTheRightNumbers) {
  const UnevenCase& uneven = GetParam();
  const std::string config =
      options(uneven.options, sizes(uneven.shape.m, uneven.shape.k, uneven.shape.n), "");
  for (const char* operands : {"planned", "linear"}) {
    const Experiment experiment = experimentOf({uneven.name, "toy", config, "", ""}, operands);
    expectUneven(uneven, *experiment.workload.plan);
    const NumberCheck check = checkNumbers(experiment);
    EXPECT_LE(check.found.relative, check.tolerance) << operands;
  }
}

std::string memory(double proportion) {
  return fmt::format("available_memory_proportion = {:.2f}\n", proportion);
}

std::vector<UnevenCase> unevenCases() {
  const std::string out = "out_chan_serial_split";
  const std::string in = "in_chan_serial_split";
  const std::string outs = "out_chan_split";
  const std::string ins = "in_chan_split";
  const std::string three = "groups = 3\n";
  return {
      {"amp_float_out", {150, 131, 203}, kMatmulFloat, "left", out, ""},
      {"amp_float_out_as_given", {97, 70, 101}, kMatmulFloat + memory(0.1), "right", out, ""},
      {"amp_float_out_parts", {200, 19, 203}, kMatmulFloat, "left", out, outs},
      {"amp_float_out_in_parts", {17, 131, 47}, kMatmulFloat + three, "right", out, ins},
      {"amp_mixed_out", {150, 131, 203}, kMatmulMixed, "left", out, ""},
      {"amp_mixed_out_as_given", {97, 131, 203}, kMatmulMixed, "right", out, outs},
      {"amp_mixed_in", {17, 70, 13}, kMatmulMixed + kAmp + three + memory(0.02), "right", in, ""},
      {"amp_half_out", {200, 131, 203}, kMatmulHalf + memory(0.1), "left", out, ""},
      {"amp_half_out_in_parts",
       {33, 131, 83},
       kMatmulHalf + kAmp + memory(0.05),
       "right",
       out,
       ins},
      {"amp_half_in", {17, 300, 29}, kMatmulHalf + kAmp + memory(0), "left", in, ""},
      {"hmac_float_in", {17, 131, 101}, kMatmulFloat + memory(0.02), "left", in, ""},
      {"hmac_float_in_groups", {17, 131, 47}, kMatmulFloat + three + memory(0), "left", in, ""},
      {"hmac_float_out", {97, 300, 203}, kMatmulFloat, "left", out, ""},
      {"hmac_float_out_as_given", {33, 19, 13}, kMatmulFloat + memory(0.02), "right", out, ""},
      {"hmac_mixed_out_parts", {97, 300, 101}, kMatmulMixed + kHmac, "left", out, outs},
      {"hmac_mixed_out_in_parts", {97, 70, 47}, kMatmulMixed + kHmac + three, "right", out, ins},
      {"hmac_half_in", {17, 300, 203}, kMatmulHalf + memory(0.02), "left", in, ""},
      {"hmac_half_out", {33, 131, 13}, kMatmulHalf + kHmac + three + memory(0.1), "right", out, ""},
  };
}

INSTANTIATE_TEST_SUITE_P(Loops, UnevenSteps, testing::ValuesIn(unevenCases()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace ipusim::run
