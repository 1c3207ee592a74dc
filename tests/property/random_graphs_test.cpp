// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "tests/property/random_model.h"
#include "tests/property/random_network.h"
#include "tests/support/temporary_folder.h"

// The program itself checks random graphs. Under sanitizers it also ends where codelets, exchanges
// or the reference leave their memory.

namespace ipusim::run {

namespace {

/// A number of the environment, or `otherwise`.
std::uint64_t asked(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

/// The exit code of `ipusim check`, whose answer goes to the file `answer.txt`.
int checkedBy(const TemporaryFolder& folder, const std::string& config) {
  const std::string file = folder.write("config.toml", config).string();
  const std::string answer = (folder / "answer.txt").string();
  const std::string command =
      fmt::format("'{}' check '{}' >'{}' 2>&1", IPUSIM_PROGRAM, file, answer);
  const int status = std::system(command.c_str());  // NOLINT(cert-env33-c)
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string answerIn(const TemporaryFolder& folder) {
  std::ostringstream text;
  text << std::ifstream(folder / "answer.txt").rdbuf();
  return text.str();
}

}  // namespace

/// IPUSIM_RANDOM_GRAPHS says how many, and IPUSIM_RANDOM_SEED which is the first.
TEST(RandomGraphs, AreRightToTheProgram) {
  const std::uint64_t graphs = asked("IPUSIM_RANDOM_GRAPHS", 4);
  const std::uint64_t first = asked("IPUSIM_RANDOM_SEED", 1);
  const TemporaryFolder folder;
  for (std::uint64_t seed = first; seed < first + graphs; ++seed) {
    const DrawnModel model = randomModel(seed, folder / "model.onnx");
    (void)folder.write("model.onnx", model.bytes);
    for (const std::string& config : {model.config, randomNetwork(seed)}) {
      ASSERT_EQ(checkedBy(folder, config), 0)
          << "seed " << seed << ": " << config << answerIn(folder);
    }
  }
}

}  // namespace ipusim::run
