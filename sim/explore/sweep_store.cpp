// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/sweep_store.h"

#include <fmt/format.h>

#include "sim/base/message.h"

namespace ipusim::explore {

namespace {

constexpr std::size_t kPathLength = 4096;

constexpr const char* kTables = R"(
  CREATE TABLE IF NOT EXISTS sweep (
    tool_version TEXT NOT NULL,
    config_hash TEXT NOT NULL,
    config TEXT NOT NULL
  );
  CREATE TABLE IF NOT EXISTS points (
    point INTEGER PRIMARY KEY,
    axes TEXT NOT NULL,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    result TEXT NOT NULL,
    seconds REAL NOT NULL
  );)";

ConfigError ofAnother(const Database& database, const std::string& what) {
  return ConfigError(
      fmt::format("{}: wanted results of this sweep, found those of {}; give another --out, or "
                  "remove the file to begin anew",
                  oneLine(database.path().string(), kPathLength), what));
}

}  // namespace

SweepStore::SweepStore(const run::OutputFolder& folder, const SweepIdentity& identity)
    : database_(folder.path() / kStoreFile) {
  Transaction transaction(database_);
  open(identity);
  transaction.commit();
}

void SweepStore::open(const SweepIdentity& identity) {
  database_.execute(kTables);
  Statement known(database_, "SELECT tool_version, config FROM sweep");
  if (!known.step()) {
    Statement(database_, "INSERT INTO sweep VALUES (?, ?, ?)")
        .bind(identity.program)
        .bind(hashOf(identity.config))
        .bind(identity.config)
        .step();
    return;
  }
  if (known.text(0) != identity.program) {
    throw ofAnother(
        database_, fmt::format("ipusim {} (this is {})", oneLine(known.text(0)), identity.program));
  }
  if (known.text(1) != identity.config) throw ofAnother(database_, "another config");
}

void SweepStore::add(std::uint64_t point, const std::string& axes, const PointResult& result) {
  Statement(database_, "INSERT INTO points VALUES (?, ?, ?, ?, ?, ?)")
      .bind(static_cast<std::int64_t>(point))
      .bind(axes)
      .bind(std::string(nameOf(result.status)))
      .bind(result.reason)
      .bind(result.result)
      .bind(result.seconds)
      .step();
}

std::vector<std::uint64_t> SweepStore::points() const {
  std::vector<std::uint64_t> points;
  Statement rows(database_, "SELECT point FROM points ORDER BY point");
  while (rows.step()) points.push_back(static_cast<std::uint64_t>(rows.whole(0)));
  return points;
}

void SweepStore::forEach(
    const std::function<void(std::uint64_t, const PointResult&)>& visit) const {
  Statement rows(database_,
                 "SELECT point, status, reason, result, seconds FROM points ORDER BY point");
  while (rows.step()) {
    visit(static_cast<std::uint64_t>(rows.whole(0)),
          {statusOf(rows.text(1)), rows.text(2), rows.text(3), rows.real(4)});
  }
}

}  // namespace ipusim::explore
