// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace ipusim::cli {

/// A file that a command will write, and the option that names it.
struct OutputFile {
  std::string option;
  std::filesystem::path file;
};

/// The files that a command will write.
class OutputFiles {
 public:
  /// Adds the file of an option, if that was given.
  OutputFiles& add(const char* option, const std::optional<std::string>& file);
  /// Adds the files of these names in a folder, if that was given.
  OutputFiles& add(const char* option, const std::optional<std::string>& folder,
                   const std::vector<const char*>& names);

  /// Throws where one of them is one of the inputs, or another one of them: it would be lost.
  /// Inputs may be names of configs below the home folder, and may be absent.
  void expectApart(const std::vector<std::string>& inputs) const;

 private:
  std::vector<OutputFile> files_;
};

}  // namespace ipusim::cli
