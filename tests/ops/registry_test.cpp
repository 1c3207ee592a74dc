// SPDX-License-Identifier: Apache-2.0
#include "sim/registry/registry.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <string>
#include <vector>

#include "tests/support/thrown.h"
#include "tests/support/toy_machine.h"
#include "workloads/sources/workload.h"

// Compares the lines of `ipusim list workloads` with what the workloads read.

namespace ipusim::workloads {
namespace {

/// The keys that a workload of `kind` asks for, as its error for a misspelt key lists them.
std::vector<std::string> keysOf(const std::string& kind, const std::string& keys) {
  const std::string message = configErrorOf([&] {
    static_cast<void>(registry::buildWorkload(
        ConfigReader::fromText(fmt::format("kind = \"{}\"\n{}\nzzzzzzzz = 1", kind, keys), "test"),
        models::gc200()));
  });
  std::smatch match;
  EXPECT_TRUE(std::regex_search(message, match, std::regex("(wanted one of|known are) (.*)")))
      << message;
  const std::string list = std::regex_replace(match.str(2), std::regex(", found.*"), "");
  const std::regex key("[a-z_]+");
  return {std::sregex_token_iterator(list.begin(), list.end(), key), std::sregex_token_iterator()};
}

std::string summaryOf(const std::string& name) {
  const auto& kinds = registry::workloadKinds();
  const auto kind = std::find_if(kinds.begin(), kinds.end(),
                                 [&](const WorkloadKind& any) { return any.name == name; });
  return kind == kinds.end() ? "" : kind->summary;
}

/// A kind, and the config of a small workload of that kind.
using Small = std::pair<std::string, std::string>;
class ListedWorkload : public testing::TestWithParam<Small> {};

TEST_P(ListedWorkload, NamesAllItsKeys) {
  const auto& [kind, keys] = GetParam();
  const std::string summary = summaryOf(kind);
  for (const std::string& key : keysOf(kind, keys)) {
    if (key == "kind") continue;
    EXPECT_TRUE(std::regex_search(summary, std::regex("\\b" + key + "\\b"))) << key;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, ListedWorkload,
    testing::Values(
        Small{"butterfly", "features = 4\nbatch = 2"},
        Small{"circulant", "features = 4\nbatch = 2"}, Small{"codec", "shape = [8, 8]"},
        Small{"conv", "in_channels = 4\nout_channels = 4\nfield = [4]\nsweeps = 2"},
        Small{"exchange_latency", "from = 0\nto = 1\nbytes = 4"},
        Small{"fastfood", "features = 4\nbatch = 2"}, Small{"low_rank", "features = 4\nbatch = 2"},
        Small{"matmul", "m = 4\nk = 4\nn = 4"},
        Small{"pixelfly", "features = 8\nbatch = 2\nbutterfly_size = 4\nblock = 2\nrank = 1"},
        Small{"message_passing", "op = \"gather\"\ninputs = 4\nfeatures = 4\noutputs = 4"},
        Small{"mlp_training", "dims = [4, 2]\nbatch = 2"}, Small{"stencil", "points = [4, 4]"},
        Small{"shl_training", "hidden = \"linear\"\nfeatures = 4"}),
    [](const auto& test) { return test.param.first; });

}  // namespace
}  // namespace ipusim::workloads
