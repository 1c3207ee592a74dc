// SPDX-License-Identifier: Apache-2.0
#include "models/gpu/named_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/gpu/torch_layers.h"
#include "tests/gpu/gpus.h"
#include "tests/support/thrown.h"

namespace ipusim::gpu {
namespace {

using testing::HasSubstr;

NamedProgram read(const std::string& text) {
  return readProgram(ConfigReader::fromText(text, "p.toml"));
}

double seconds(const Program& program) {
  return programTime(a30(), program, Host::Eager).total.value().seconds;
}

TEST(NamedProgram, OfEveryKindIsRead) {
  const std::string extents =
      "m = 64\nk = 64\nn = 64\nwidth = 64\nbatch = 8\nheads = 2\nlength = 64\n";
  for (const std::string& kind : programKinds()) {
    const auto config = ConfigReader::fromText("kind = \"" + kind + "\"\n" + extents +
                                                   "density = 0.1\nread_bytes = 64\n"
                                                   "written_bytes = 0\nlayer = \"linear\"\n",
                                               "p.toml");
    EXPECT_GT(seconds(readProgram(config).program), 0) << kind;
  }
}

TEST(NamedProgram, OfALayerIsTheLayer) {
  const NamedProgram named = read("kind = \"butterfly\"\nwidth = 1024\nbatch = 1024\n");
  EXPECT_DOUBLE_EQ(seconds(named.program), seconds(butterflyLayer({1024, 1024})));
  EXPECT_DOUBLE_EQ(seconds(named.dense.value()), seconds(linearLayer({1024, 1024})));
  EXPECT_EQ(named.flops, Flops(2ULL * 1024 * 1024 * 1024));
}

TEST(NamedProgram, OfAProductHasThreeKernels) {
  const std::string product = "kind = \"product\"\nm = 512\nk = 512\nn = 512\n";
  const double library = seconds(read(product).program);
  const double naive = seconds(read(product + "kernel = \"naive\"").program);
  const double staged = seconds(read(product + "kernel = \"shared_memory\"").program);
  EXPECT_LT(library, staged);
  EXPECT_LT(staged, naive);
}

TEST(NamedProgram, OfTrainingTakesItsSteps) {
  const std::string training =
      "kind = \"training\"\nlayer = \"pixelfly\"\nwidth = 1024\nbatch = 50\n";
  const double one = seconds(read(training).program);
  EXPECT_NEAR(seconds(read(training + "steps = 100").program) / one, 100, kRounding);
}

TEST(NamedProgram, OfOperatorsIsThatOfPyTorch) {
  const std::string layer = "width = 256\nbatch = 64\nform = \"operators\"\nkind = ";
  EXPECT_EQ(read(layer + "\"butterfly\"").program.name, "butterfly operators");
  EXPECT_EQ(read(layer + "\"fastfood\"").program.name, "fastfood operators");
  EXPECT_EQ(read(layer + "\"circulant\"").program.name, "circulant operators");
  EXPECT_EQ(read(layer + "\"low_rank\"\nrank = 3").program.name, "low rank operators");
  EXPECT_EQ(read(layer + "\"pixelfly\"").program.name, "pixelfly operators");
  EXPECT_EQ(read(layer + "\"linear\"").program.name, "linear");
  const std::string training = layer + "\"training\"\nlayer = ";
  EXPECT_EQ(read(training + "\"butterfly\"").program.name, "training of operators");
}

TEST(NamedProgram, OfAPixelflyOfOperatorsHasAsManyBlocksARowAsItSays) {
  const std::string layer = "kind = \"pixelfly\"\nwidth = 256\nbatch = 64\nform = \"operators\"\n";
  const double four = seconds(read(layer + "blocks_per_row = 4").program);
  const double sixteen = seconds(read(layer + "blocks_per_row = 16").program);
  EXPECT_LT(four, sixteen);
  EXPECT_THROW(read(layer + "blocks_per_row = 17"), ConfigError);
}

TEST(NamedProgram, OfAThreadKernelTakesItsBlocks) {
  const std::string product =
      "kind = \"product\"\nm = 64\nk = 64\nn = 64\nblock_edge = 32\nkernel = ";
  const Program program = read(product + "\"naive\"").program;
  EXPECT_EQ(std::get<ThreadGemm>(program.operators.front().kernels.front()).block_edge, 32U);
  EXPECT_THROW(read(product + "\"library\""), ConfigError);
}

TEST(NamedProgram, SaysWhatIsWrong) {
  const auto error = [](const std::string& text) { return configErrorOf([&] { read(text); }); };
  EXPECT_THAT(error("kind = \"butterfly\"\nwidth = 100\nbatch = 1"),
              HasSubstr("p.toml:2: width: wanted a power of two"));
  EXPECT_THAT(error("kind = \"linear\"\nwidth = 100"), HasSubstr("batch: wanted"));
  EXPECT_THAT(error("kind = \"training\"\nlayer = \"dense\"\nwidth = 64\nbatch = 1"),
              HasSubstr("layer: wanted one of"));
  EXPECT_THAT(error("kind = \"pixelfly\"\nwidth = 64\nbatch = 1\nblock = 32\nbutterfly = 4"),
              HasSubstr("butterfly: wanted"));
}

}  // namespace
}  // namespace ipusim::gpu
