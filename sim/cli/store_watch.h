// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>

#include "base/file_identity.h"
#include "sim/report/output_folder.h"

namespace ipusim::cli {

/// Knows the store of a folder again. SQLite goes on writing to a file that was removed, and all of
/// that is lost.
class StoreWatch {
 public:
  /// To be made when the store is open.
  explicit StoreWatch(const run::OutputFolder& folder);

  /// Throws ConfigError where the store is gone or another file is in its place.
  void expectThere() const;

 private:
  std::filesystem::path store_;
  std::optional<FileIdentity> identity_;
};

}  // namespace ipusim::cli
