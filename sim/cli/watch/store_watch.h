// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "base/files/file_identity.h"
#include "sim/report/output_folder.h"

namespace ipusim::cli {

/// Detects when the store of a folder is removed or replaced. SQLite would go on writing to the
/// removed file, and all of that would be lost.
class StoreWatch {
 public:
  /// Must be constructed while the store is open.
  explicit StoreWatch(const report::OutputFolder& folder);

  /// Throws ConfigError when the store is gone or another file is in its place.
  void expectThere() const;

 private:
  std::filesystem::path store_;
  std::optional<FileIdentity> identity_;
};

}  // namespace ipusim::cli
