// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <exception>

#include "ipusim/error.h"
#include "ipusim/version.h"
#include "poplar/codelets/compile/popc.h"

namespace {

constexpr int kUserCanMend = 2;
constexpr int kOurBug = 70;

constexpr const char* kHelp =
    "usage: popc [-O0|-O1|-O2|-O3] [-target=ipu1|ipu2|ipu21|cpu] [-I FOLDER] [-D NAME] [-g] [-c]\n"
    "            SOURCE.cpp|ARCHIVE.gp... -o ARCHIVE.gp\n"
    "Compiles codelets for ipusim, which executes them on this computer.\n";

}  // namespace

int main(int count, char** words) {
  try {
    const std::vector<std::string> given(words + 1, words + count);
    if (given.size() == 1 && given.front() == "--help") {
      fmt::print("{}", kHelp);
    } else if (given.size() == 1 && given.front() == "--version") {
      fmt::print("popc of ipusim {}\n", ipusim::libraryVersion());
    } else {
      ipusim::codelets::runPopc(ipusim::codelets::readPopcWords(given));
    }
    return 0;
  } catch (const ipusim::ConfigError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return kUserCanMend;
  } catch (const std::exception& error) {
    fmt::print(stderr, "popc: {}\n", error.what());
    return kOurBug;
  }
}
