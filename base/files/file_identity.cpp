// SPDX-License-Identifier: Apache-2.0
#include "base/files/file_identity.h"

#include <sys/stat.h>

namespace ipusim {

std::optional<FileIdentity> identityOf(const std::filesystem::path& path) {
  struct stat found {};
  if (stat(path.c_str(), &found) != 0) return std::nullopt;
  return FileIdentity{found.st_dev, found.st_ino};
}

std::optional<FileIdentity> identityOf(int descriptor) {
  struct stat found {};
  if (fstat(descriptor, &found) != 0) return std::nullopt;
  return FileIdentity{found.st_dev, found.st_ino};
}

}  // namespace ipusim
