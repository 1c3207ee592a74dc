// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/report/output_folder.h"
#include "sim/studies/sweep/point_result.h"
#include "sim/studies/sweep/sqlite.h"
#include "sim/studies/sweep/sweep_identity.h"

namespace ipusim::explore {

/// The file in the folder of a sweep that holds what is computed.
constexpr const char* kStoreFile = "sweep.sqlite";

/// The points of one sweep that are computed, in a SQLite file: table `sweep` says of what, table
/// `points` has a row each. Every point is a transaction: whatever ends the program, what was added
/// is there and nothing is half there. Each row has a checksum: a point whose row is not as it was
/// written is as one that is not there, but for damaged(). Failures of the file are ConfigErrors.
class SweepStore {
 public:
  /// Opens the store of the folder, or makes one. Throws ConfigError where it is that of another
  /// identity, where another process has it open, and where more than rows of points is damaged.
  SweepStore(const run::OutputFolder& folder, SweepIdentity identity);

  /// Opens the store that is in the folder. Throws ConfigError where there is none, too.
  explicit SweepStore(const std::filesystem::path& folder);

  [[nodiscard]] const SweepIdentity& identity() const { return identity_; }
  [[nodiscard]] const std::filesystem::path& path() const { return database_.path(); }

  /// Keeps a point. `axes` describes it to a reader. It takes the place of a failed or a damaged
  /// one; any other that is there already is an InternalError.
  void add(std::uint64_t point, const std::string& axes, const PointResult& result);

  /// The points that are there, ascending, but for those that failed: they are tried again.
  [[nodiscard]] std::vector<std::uint64_t> points() const;

  /// The points whose rows were damaged when it was opened, but for those added since.
  [[nodiscard]] const std::set<std::uint64_t>& damaged() const { return damaged_; }

  [[nodiscard]] std::optional<PointResult> find(std::uint64_t point) const;

  /// To add many points at once: all of them are kept, or none.
  [[nodiscard]] Transaction transaction() const { return Transaction(database_); }

  /// Hands out what is there, points ascending.
  void forEach(const std::function<void(std::uint64_t, const PointResult&)>& visit) const;

 private:
  void make();
  void expectSound() const;
  [[nodiscard]] SweepIdentity readIdentity() const;
  void expectSame(const SweepIdentity& known) const;
  [[nodiscard]] std::set<std::uint64_t> damagedRows() const;
  [[nodiscard]] std::string checksumOf(std::uint64_t point, const std::string& axes,
                                       const PointResult& result) const;
  [[nodiscard]] std::optional<PointResult> wholeRow(const Statement& row) const;
  [[nodiscard]] PointResult expectWholeRow(const Statement& row) const;

  Database database_;
  SweepIdentity identity_;
  std::string identity_checksum_;  ///< part of those of rows: they do not go from sweep to sweep
  std::set<std::uint64_t> damaged_;
};

}  // namespace ipusim::explore
