// SPDX-License-Identifier: Apache-2.0
#include "sim/codelets/source_line.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

#include "base/write_all.h"
#include "sim/codelets/process.h"

namespace ipusim::codelets {

namespace {

namespace fs = std::filesystem;

std::string askAddr2line(const std::string& file, const Section& section, std::uint32_t offset) {
  const Ended ended = runProgram(
      {"addr2line", "-e", file, "-j", std::string(section.name), fmt::format("{:#x}", offset)});
  std::string line = ended.output.substr(0, ended.output.find_first_of(" \n"));
  if (!ended.well || line.empty() || line.front() == '?') return {};
  // Names of texts are relative to the folder of the compilation, which has none.
  while (line.substr(0, 2) == "./") line.erase(0, 2);
  return line;
}

}  // namespace

std::string sourceLine(const std::string& object, const Section& section, std::uint32_t offset) {
  std::string file = (fs::temp_directory_path() / "ipusim-codelet-XXXXXX").string();
  const int descriptor = mkstemp(file.data());
  if (descriptor < 0) return {};
  const bool is_written = !writeAll(descriptor, object);
  close(descriptor);
  std::string line = is_written ? askAddr2line(file, section, offset) : std::string();
  std::error_code ignored;
  fs::remove(file, ignored);
  return line;
}

}  // namespace ipusim::codelets
