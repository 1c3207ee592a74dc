// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/write_file.h"

namespace ipusim::run {

/// A folder that results go to. Whatever ends the program, no file in it is half written, and
/// nothing in it but regular files is touched. Failures are ConfigErrors that name the file.
class OutputFolder {
 public:
  /// Makes the folder, and those above it. Throws where it cannot be written to.
  explicit OutputFolder(std::filesystem::path path);

  /// Puts `text` in place of the file `name`.
  void write(const std::string& name, std::string_view text) const;
  /// The same for what `fill` gives to the sink, part by part.
  void write(const std::string& name, const Fill& fill) const;

  /// Where a file is kept that somebody else writes. Throws where there is no place for one.
  [[nodiscard]] std::filesystem::path placeOf(const std::string& name) const;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace ipusim::run
