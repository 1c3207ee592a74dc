// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/files/write_file.h"

namespace ipusim::report {

/// A folder for results. Whatever ends the program, no file in the folder is half written, and only
/// regular files are replaced. Failures are ConfigErrors that name the file.
class OutputFolder {
 public:
  /// Makes the folder and the folders above it, and removes drafts in it that processes left which
  /// were killed. Throws when it cannot be written to.
  explicit OutputFolder(std::filesystem::path path);

  /// Replaces the file `name` with `text`.
  void write(const std::string& name, std::string_view text) const;
  /// Replaces the file `name` with the text that `fill` gives to the sink, part by part.
  void write(const std::string& name, const Fill& fill) const;

  /// The path of a file that other code writes. Throws when no file can be there.
  [[nodiscard]] std::filesystem::path placeOf(const std::string& name) const;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace ipusim::report
