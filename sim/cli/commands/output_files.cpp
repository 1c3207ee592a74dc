// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/commands/output_files.h"

#include <fmt/format.h>

#include "base/config/config_reader.h"
#include "base/error_boundary.h"
#include "base/files/file_identity.h"
#include "base/text/message.h"
#include "ipusim/error.h"

namespace ipusim::cli {

namespace {

namespace fs = std::filesystem;

/// Both are files that keep what is written, and the same one. Devices and pipes may take several
/// outputs. Files that are not there yet are the same where their paths are.
bool areOne(const fs::path& a, const fs::path& b) {
  std::error_code absent;
  const auto exists = [&absent](const fs::path& file) { return fs::exists(file, absent); };
  if (exists(a) && exists(b)) {
    return fs::is_regular_file(a, absent) && identityOf(a) == identityOf(b);
  }
  if (exists(a) || exists(b)) return false;
  return fs::weakly_canonical(fs::absolute(a, absent), absent) ==
         fs::weakly_canonical(fs::absolute(b, absent), absent);
}

/// Where an input is. One that is nowhere is told by whoever reads it.
fs::path placeOfInput(const std::string& name) {
  return resultOrNone<ConfigError>([&] { return findConfigFile(name, {}); }).value_or(name);
}

ConfigError oneTwice(const OutputFile& file, const std::string& other) {
  return ConfigError(fmt::format("{}: wanted another file than {}, found \"{}\"", file.option,
                                 other, oneLine(file.file.string(), kPathLength)));
}

}  // namespace

OutputFiles& OutputFiles::add(const char* option, const std::optional<std::string>& file) {
  if (file) files_.push_back({option, *file});
  return *this;
}

OutputFiles& OutputFiles::add(const char* option, const std::optional<std::string>& folder,
                              const std::vector<const char*>& names) {
  if (!folder) return *this;
  for (const char* name : names) files_.push_back({option, fs::path(*folder) / name});
  return *this;
}

void OutputFiles::expectApart(const std::vector<std::string>& inputs) const {
  for (std::size_t f = 0; f < files_.size(); ++f) {
    for (const std::string& input : inputs) {
      if (areOne(files_[f].file, placeOfInput(input))) throw oneTwice(files_[f], "the input");
    }
    for (std::size_t other = 0; other < f; ++other) {
      const bool is_twice = areOne(files_[f].file, files_[other].file);
      if (is_twice) throw oneTwice(files_[f], "that of " + files_[other].option);
    }
  }
}

}  // namespace ipusim::cli
