// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>

namespace ipusim {

/// Tells a file from every other existing file, whatever names lead to it.
struct FileIdentity {
  dev_t device = 0;
  ino_t number = 0;

  friend bool operator==(const FileIdentity& a, const FileIdentity& b) {
    return a.device == b.device && a.number == b.number;
  }
};

/// The identity of the file that the path leads to, or of the open file; none where there is no
/// file.
std::optional<FileIdentity> identityOf(const std::filesystem::path& path);
std::optional<FileIdentity> identityOf(int descriptor);

}  // namespace ipusim
