// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "sim/run/check/check_experiment.h"
#include "sim/run/simulate.h"

// The steps of codecs leave the numbers of evaluate(): the parameters after updates whose gradients
// were computed from decoded tensors.

namespace ipusim::workloads {
namespace {

struct CompressedCase {
  const char* name;
  const char* compress;
  const char* type = "float";
};

void PrintTo(const CompressedCase& one, std::ostream* out) {
  *out << one.name;
}

class CompressedNetwork : public testing::TestWithParam<CompressedCase> {
 protected:
  static void expectNumbers(const char* machine, const char* input, const char* layers) {
    const run::Experiment experiment = run::prepare(ConfigReader::fromText(
        fmt::format("machine = \"{}\"\n[workload]\nkind = \"network\"\ninput = {}\nbatch = 2\n"
                    "type = \"{}\"\nlayers = \"{}\"\n"
                    "train = {{loss = \"squared_error\", learning_rate = 0.05}}\n"
                    "compress = {{{}}}\n",
                    machine, input, GetParam().type, layers, GetParam().compress),
        "test"));
    ASSERT_TRUE(experiment.workload.compression);
    ASSERT_FALSE(experiment.workload.compression->tensors.empty());
    const executor::CheckResult found = run::checkNumbers(experiment).found;
    EXPECT_TRUE(found.ok) << machine << ": " << found.output << " " << found.relative;
  }
};

TEST_P(CompressedNetwork, HasTheNumbersOfItsGraph) {
  for (const char* machine : {"toy", "gc200"}) {
    expectNumbers(machine, "[2, 8, 16]",
                  "conv 3 3 pad 1; tanh; conv 4 3 pad 1; relu; average_pool 2; flatten; linear 3");
  }
}

INSTANTIATE_TEST_SUITE_P(
    Codecs, CompressedNetwork,
    testing::Values(
        CompressedCase{"dense", "chop = 4"}, CompressedCase{"dense_split", "chop = 3, split = 2"},
        CompressedCase{"dense_triangle", "chop = 4, corner = \"triangle\""},
        CompressedCase{"blockwise", "chop = 5, form = \"blockwise\""},
        CompressedCase{"blockwise_triangle",
                       "chop = 5, form = \"blockwise\", corner = \"triangle\""},
        CompressedCase{"fused", "chop = 4, form = \"fused\""},
        CompressedCase{"fused_triangle", "chop = 4, form = \"fused\", corner = \"triangle\""},
        CompressedCase{"dense_of_8_bits", "chop = 4, bits = 8"},
        CompressedCase{"dense_of_halves", "chop = 4", "half"},
        CompressedCase{"levels_16", "codec = \"quantise\", bits = 16"},
        CompressedCase{"levels_8", "codec = \"quantise\""},
        CompressedCase{"levels_4", "codec = \"quantise\", bits = 4"},
        CompressedCase{"levels_2", "codec = \"quantise\", bits = 2"},
        CompressedCase{"levels_of_blocks", "codec = \"quantise\", scale = \"block\", block = 16"},
        CompressedCase{"levels_at_random",
                       "codec = \"quantise\", rounding = \"stochastic\", seed = 5"},
        CompressedCase{"levels_of_halves", "codec = \"quantise\", bits = 4", "half"},
        CompressedCase{"signs", "codec = \"relu_mask\""},
        CompressedCase{"signs_of_halves", "codec = \"relu_mask\"", "half"},
        CompressedCase{"halves", "codec = \"half\""},
        CompressedCase{"quarters", "codec = \"float8\""},
        CompressedCase{"quarters_of_halves", "codec = \"float8\"", "half"},
        CompressedCase{"low_rank", "codec = \"low_rank\", rank = 5"}),
    [](const auto& one) { return one.param.name; });

}  // namespace
}  // namespace ipusim::workloads
