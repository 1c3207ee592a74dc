// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "base/text/message.h"
#include "tests/fuzz/campaign.h"

// Reads wrong inputs of every kind, made from right ones, and reports faults of this project.
//
//   fuzz_mutations EXECUTIONS SEED FOLDER [PROGRAM]
//
// Must run in the source tree. Inputs that are faults go to FOLDER; the exit code is then 1.
// PROGRAM reads the inputs when it is given, and otherwise this process does.

namespace {

using ipusim::fuzz::CampaignResult;

void report(const CampaignResult& result, const std::filesystem::path& folder) {
  for (const auto& [kind, executions] : result.executions) {
    std::cout << kind << ": " << executions << " executions\n";
  }
  for (const auto& fault : result.faults) {
    const auto file = folder / (fault.kind + '.' + std::to_string(fault.execution));
    std::ofstream(file, std::ios::binary) << fault.input;
    constexpr std::size_t kLength = 300;
    std::cout << file.string() << ": " << ipusim::oneLine(fault.what, kLength) << '\n';
  }
  std::cout << result.faults.size() << " faults\n";
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv, argv + argc);
  if (words.size() < 4) {
    std::cerr << "usage: fuzz_mutations EXECUTIONS SEED FOLDER [PROGRAM]\n";
    return 2;
  }
  ipusim::fuzz::CampaignOptions options;
  options.executions = std::stoull(words[1]);
  options.seed = std::stoull(words[2]);
  const std::filesystem::path folder = std::filesystem::absolute(words[3]);
  std::filesystem::create_directories(folder / "files");
  const std::string files = (folder / "files").string();
  const auto kinds =
      words.size() > 4 ? ipusim::fuzz::kindsOf(words[4], files) : ipusim::fuzz::kindsHere(files);
  std::cout << "seed " << options.seed << '\n';
  const CampaignResult result = ipusim::fuzz::campaign(kinds, options);
  report(result, folder);
  return result.faults.empty() ? 0 : 1;
}
