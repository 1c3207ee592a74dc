// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/explore/point.h"
#include "sim/explore/sqlite.h"
#include "sim/explore/sweep_identity.h"
#include "sim/run/output_folder.h"

namespace ipusim::explore {

/// The file in the folder of a sweep that holds what is computed.
constexpr const char* kStoreFile = "sweep.sqlite";

/// The points of one sweep that are computed, in a SQLite file: table `sweep` says of what, table
/// `points` has a row each. Every point is a transaction: whatever ends the program, what was added
/// is there and nothing is half there. Failures of the file are ConfigErrors.
class SweepStore {
 public:
  /// Opens the store of the folder, or makes one. Throws ConfigError where it is that of another
  /// identity, or another process has it open.
  SweepStore(const run::OutputFolder& folder, const SweepIdentity& identity);

  /// Keeps a point. `axes` describes it to a reader. One that is there already is an InternalError.
  void add(std::uint64_t point, const std::string& axes, const PointResult& result);

  /// The points that are there, ascending.
  [[nodiscard]] std::vector<std::uint64_t> points() const;

  /// Hands out what is there, points ascending.
  void forEach(const std::function<void(std::uint64_t, const PointResult&)>& visit) const;

 private:
  void open(const SweepIdentity& identity);

  Database database_;
};

}  // namespace ipusim::explore
