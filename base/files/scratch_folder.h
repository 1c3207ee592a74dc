// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace ipusim {

/// A new folder for scratch files, in the system's place for them. It is removed with its owner.
class ScratchFolder {
 public:
  /// The name of the folder begins with `name`. Throws ConfigError where no folder can be made.
  explicit ScratchFolder(std::string_view name);
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  /// The place of a file in the folder.
  [[nodiscard]] std::string file(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

}  // namespace ipusim
