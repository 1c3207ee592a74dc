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
#include "sim/studies/sweep/store/point_result.h"
#include "sim/studies/sweep/store/sqlite.h"
#include "sim/studies/sweep/store/sweep_identity.h"

namespace ipusim::sweep {

/// The file with the computed points in the folder of a sweep.
constexpr const char* kStoreFile = "sweep.sqlite";

/// The computed points of one sweep, in a SQLite file. Table `sweep` holds the identity of the
/// sweep; table `points` has one row per point.
///
/// Every point is a transaction: whatever ends the program, added points are there and none is
/// incomplete. Each row has a checksum. A point with a damaged row counts as missing, and damaged()
/// lists it. Failures of the file are ConfigErrors.
class SweepStore {
 public:
  /// Opens the store of the folder, or creates one. Throws ConfigError when the store has another
  /// identity, when another process has it open, and when more than rows of points is damaged.
  SweepStore(const report::OutputFolder& folder, SweepIdentity identity);

  /// Opens the store in the folder. Throws ConfigError when there is none, too.
  explicit SweepStore(const std::filesystem::path& folder);

  [[nodiscard]] const SweepIdentity& identity() const { return identity_; }
  [[nodiscard]] const std::filesystem::path& path() const { return database_.path(); }

  /// Stores a point. `axes` describes the point to a reader. The point may replace a failed or a
  /// damaged one; replacing any other one is an InternalError.
  void add(std::uint64_t point, const std::string& axes, const PointResult& result);

  /// The points in the store, ascending. Failed ones are left out: they are tried again.
  [[nodiscard]] std::vector<std::uint64_t> points() const;

  /// The points whose rows were damaged when the store was opened, without those added since.
  [[nodiscard]] const std::set<std::uint64_t>& damaged() const { return damaged_; }

  [[nodiscard]] std::optional<PointResult> find(std::uint64_t point) const;

  /// A transaction that adds many points at once: all of them are stored, or none.
  [[nodiscard]] Transaction transaction() const { return Transaction(database_); }

  /// Visits the stored points in ascending order.
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
  std::string identity_checksum_;  ///< part of the checksums of rows, so that a row cannot move
                                   ///< from one sweep to another
  std::set<std::uint64_t> damaged_;
};

}  // namespace ipusim::sweep
