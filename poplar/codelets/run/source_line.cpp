// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/run/source_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "base/error_boundary.h"
#include "base/files/scratch_folder.h"
#include "base/files/write_file.h"
#include "ipusim/error.h"
#include "poplar/codelets/compile/process.h"

namespace ipusim::codelets {

namespace {

/// True of a place in a header that no user wrote.
bool isForeign(std::string_view line) {
  return line.substr(0, 5) == "/usr/" ||
         line.find("/poplar/device/include/") != std::string_view::npos;
}

/// The first line of the user among `answer`, which has the innermost inlined function first; the
/// innermost line where there is none.
std::string lineOfUser(std::string_view answer) {
  std::string_view chosen;
  while (!answer.empty()) {
    const std::string_view line = answer.substr(0, answer.find('\n'));
    answer.remove_prefix(std::min(line.size() + 1, answer.size()));
    if (chosen.empty() || isForeign(chosen)) chosen = line.substr(0, line.find(' '));
  }
  // Names of texts are relative to the folder of the compilation, which has none.
  while (chosen.substr(0, 2) == "./") chosen.remove_prefix(2);
  return chosen.empty() || chosen.front() == '?' ? std::string() : std::string(chosen);
}

std::string askAddr2line(const std::string& file, const Section& section, std::uint32_t offset) {
  const ProcessResult ended = runProgram({"addr2line", "-i", "-e", file, "-j",
                                          std::string(section.name), fmt::format("{:#x}", offset)});
  return ended.well ? lineOfUser(ended.output) : std::string();
}

}  // namespace

std::string sourceLine(const std::string& object, const Section& section, std::uint32_t offset) {
  // The line is a help, and a full disk is no reason to end.
  const auto line = resultOrNone<ConfigError>([&] {
    const ScratchFolder folder("ipusim-codelet");
    const std::string file = folder.file("unit.o");
    writeFile(file, object);
    return askAddr2line(file, section, offset);
  });
  return line.value_or("");
}

}  // namespace ipusim::codelets
