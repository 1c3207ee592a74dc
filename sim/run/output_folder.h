// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace ipusim::run {

/// Takes the next part of a text.
using Sink = std::function<void(std::string_view)>;

/// A folder that results go to. Whatever ends the program, no file in it is half written: signals
/// to the calling thread wait meanwhile. Failures are ConfigErrors that name the file.
class OutputFolder {
 public:
  /// Makes the folder, and those above it.
  explicit OutputFolder(std::filesystem::path path);

  /// Puts `text` in place of the file `name`.
  void write(const std::string& name, std::string_view text) const;
  /// The same for what `fill` gives to the sink, part by part.
  void write(const std::string& name, const std::function<void(const Sink&)>& fill) const;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// One file, in a folder that is made where there is none.
void writeFile(const std::filesystem::path& file, std::string_view text);

}  // namespace ipusim::run
