// SPDX-License-Identifier: Apache-2.0
#include "sim/explore/sweep_store.h"

#include <fmt/format.h>

#include <utility>

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

constexpr const char* kIdentity = "SELECT tool_version, config FROM sweep";
constexpr const char* kAdd = R"(
  INSERT INTO points VALUES (?, ?, ?, ?, ?, ?)
  ON CONFLICT (point) DO UPDATE SET
    status = excluded.status, reason = excluded.reason, result = excluded.result,
    seconds = excluded.seconds
  WHERE points.status = 'failed')";

/// Of a row of point, status, reason, result, seconds.
PointResult resultIn(const Statement& row) {
  return {statusOf(row.text(1)), row.text(2), row.text(3), row.real(4)};
}

/// Reading takes the file, for which SQLite writes beside it.
std::filesystem::path existing(const std::filesystem::path& folder, const char* name) {
  const std::filesystem::path file = folder / name;
  std::error_code unreachable;
  if (std::filesystem::is_regular_file(file, unreachable)) {
    expectWritable(folder, "copy it to where it can be");
    return file;
  }
  throw ConfigError(oneLine(file.string(), kPathLength) +
                    ": wanted the store of a sweep, found none");
}

ConfigError ofAnother(const Database& database, const std::string& what) {
  return ConfigError(
      fmt::format("{}: wanted results of this sweep, found those of {}; give another --out, or "
                  "remove the file to begin anew",
                  oneLine(database.path().string(), kPathLength), what));
}

}  // namespace

SweepStore::SweepStore(const run::OutputFolder& folder, SweepIdentity identity)
    : database_(folder.placeOf(kStoreFile)), identity_(std::move(identity)) {
  Transaction transaction(database_);
  open();
  transaction.commit();
}

SweepStore::SweepStore(const std::filesystem::path& folder)
    : database_(existing(folder, kStoreFile)) {
  database_.execute(kTables);  // a sweep that was killed as it began has none
  Statement known(database_, kIdentity);
  if (!known.step()) throw ofAnother(database_, "none");
  identity_ = {known.text(0), known.text(1)};
}

void SweepStore::open() {
  database_.execute(kTables);
  Statement known(database_, kIdentity);
  if (known.step()) {
    expectSame(known);
    return;
  }
  Statement(database_, "INSERT INTO sweep VALUES (?, ?, ?)")
      .bind(identity_.program)
      .bind(hashOf(identity_.config))
      .bind(identity_.config)
      .step();
}

void SweepStore::expectSame(const Statement& known) const {
  if (known.text(0) != identity_.program) {
    throw ofAnother(database_, fmt::format("ipusim {} (this is {})", oneLine(known.text(0)),
                                           identity_.program));
  }
  if (known.text(1) != identity_.config) throw ofAnother(database_, "another config");
}

void SweepStore::add(std::uint64_t point, const std::string& axes, const PointResult& result) {
  Statement(database_, kAdd)
      .bind(static_cast<std::int64_t>(point))
      .bind(axes)
      .bind(std::string(nameOf(result.status)))
      .bind(result.reason)
      .bind(result.result)
      .bind(result.seconds)
      .step();
  check(database_.changes() == 1, "a point that is not in the store");
}

std::optional<PointResult> SweepStore::find(std::uint64_t point) const {
  Statement row(database_,
                "SELECT point, status, reason, result, seconds FROM points WHERE point = ?");
  if (!row.bind(static_cast<std::int64_t>(point)).step()) return std::nullopt;
  return resultIn(row);
}

std::vector<std::uint64_t> SweepStore::points() const {
  std::vector<std::uint64_t> points;
  Statement rows(database_, "SELECT point FROM points WHERE status != 'failed' ORDER BY point");
  while (rows.step()) points.push_back(static_cast<std::uint64_t>(rows.whole(0)));
  return points;
}

void SweepStore::forEach(
    const std::function<void(std::uint64_t, const PointResult&)>& visit) const {
  Statement rows(database_,
                 "SELECT point, status, reason, result, seconds FROM points ORDER BY point");
  while (rows.step()) {
    visit(static_cast<std::uint64_t>(rows.whole(0)), resultIn(rows));
  }
}

}  // namespace ipusim::explore
