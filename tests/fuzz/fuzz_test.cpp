// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/fuzz/campaign.h"
#include "tests/fuzz/inputs.h"
#include "tests/support/temporary_folder.h"

namespace ipusim::fuzz {
namespace {

struct Target {
  const char* name;
  void (*read)(std::string_view);
};

class Corpus : public testing::TestWithParam<Target> {};

TEST_P(Corpus, IsReadWithoutFault) {
  std::string folder = GetParam().name;
  folder = "tests/fuzz/corpus/" + folder.substr(0, folder.find("_check"));
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ostringstream bytes;
    bytes << std::ifstream(entry.path(), std::ios::binary).rdbuf();
    EXPECT_NO_THROW(GetParam().read(bytes.str())) << entry.path();
    ++files;
  }
  EXPECT_GE(files, 5);
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus,
                         testing::Values(Target{"config", config}, Target{"expression", expression},
                                         Target{"store", store}, Target{"csv", csv},
                                         Target{"matrix", matrix}, Target{"trace", trace},
                                         Target{"profile", profile}, Target{"chakra", chakra},
                                         Target{"onnx", onnx}, Target{"onnx_check", onnxCheck},
                                         Target{"record", record}, Target{"network", network},
                                         Target{"topology", topology}),
                         [](const auto& test) { return test.param.name; });

std::string describe(const CampaignResult& result) {
  std::string text;
  for (const Fault& fault : result.faults) {
    text += fault.kind + ' ' + std::to_string(fault.execution) + ": " + fault.what + '\n';
  }
  return text;
}

TEST(Mutations, OfEveryKindOfInputAreReadWithoutFault) {
  const TemporaryFolder folder;
  CampaignOptions options;
  options.executions = 561;
  const CampaignResult result = campaign(kindsHere(folder.path().string()), options);
  EXPECT_EQ(describe(result), "");
  EXPECT_EQ(result.executions.size(), 22U);
}

TEST(Mutations, WhateverEndsTheReaderIsAFault) {
  const auto end = [](const Seed& seed) {
    if (seed.name == "throws") throw std::logic_error("thrown");
    if (seed.name == "aborts") std::abort();
    while (seed.name == "hangs") {
    }
  };
  CampaignOptions options;
  options.executions = 4;
  options.seconds = 1;
  const CampaignResult result = campaign({{"a", {{"throws", "x"}}, end},
                                          {"b", {{"reads", "x"}}, end},
                                          {"c", {{"aborts", "x"}}, end},
                                          {"d", {{"hangs", "x"}}, end}},
                                         options);
  EXPECT_EQ(describe(result), "a 0: thrown\nc 2: signal 6\nd 3: more than 1 s\n");
}

}  // namespace
}  // namespace ipusim::fuzz
