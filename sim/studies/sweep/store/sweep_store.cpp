// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/store/sweep_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/text/json.h"
#include "base/text/json_text.h"
#include "base/text/message.h"
#include "sim/studies/sweep/store/checksum.h"

namespace ipusim::sweep {

namespace {

/// A row holds the number of its point twice, so that damage of the number can be told from damage
/// of the rest.
constexpr const char* kTables = R"(
  CREATE TABLE sweep (
    tool_version TEXT NOT NULL,
    config TEXT NOT NULL,
    checksum TEXT NOT NULL
  );
  CREATE TABLE points (
    number INTEGER PRIMARY KEY,
    point INTEGER NOT NULL,
    axes TEXT NOT NULL,
    status TEXT NOT NULL,
    reason TEXT NOT NULL,
    result TEXT NOT NULL,
    seconds REAL NOT NULL,
    outcome TEXT NOT NULL,
    checksum TEXT NOT NULL
  );
  PRAGMA user_version = 3;)";
constexpr std::int64_t kFormat = 3;  // format of the tables, as user_version above

constexpr const char* kSchema =
    "SELECT type || ' ' || name || ' ' || ifnull(sql, '') "
    "FROM sqlite_master ORDER BY name";
constexpr const char* kIdentity = "SELECT tool_version, config, checksum FROM sweep";
constexpr const char* kRows =
    "SELECT number, point, axes, status, reason, result, seconds, outcome, checksum FROM points "
    "ORDER BY number";
constexpr const char* kRow =
    "SELECT number, point, axes, status, reason, result, seconds, outcome, checksum FROM points "
    "WHERE number = ?";
constexpr const char* kAdd = R"(
  INSERT INTO points VALUES (?1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)
  ON CONFLICT (number) DO UPDATE SET
    axes = excluded.axes, status = excluded.status, reason = excluded.reason,
    result = excluded.result, seconds = excluded.seconds, outcome = excluded.outcome,
    checksum = excluded.checksum
  WHERE points.status = 'failed')";
constexpr const char* kReplace = R"(
  INSERT OR REPLACE INTO points VALUES (?1, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8))";

std::string checksumOf(const SweepIdentity& identity) {
  return Checksum().add(identity.program).add(identity.config).text();
}

std::int64_t formatOf(const Database& database) {
  Statement version(database, "PRAGMA user_version");
  return version.step() ? version.whole(0) : 0;
}

std::vector<std::string> schemaOf(const Database& database) {
  std::vector<std::string> schema;
  Statement rows(database, kSchema);
  while (rows.step()) schema.push_back(rows.text(0));
  return schema;
}

bool isNew(const Database& database) {
  return formatOf(database) == 0 && schemaOf(database).empty();
}

std::vector<std::string> wantedSchema() {
  const Database memory(":memory:");
  memory.execute(kTables);
  return schemaOf(memory);
}

std::uint64_t numberOf(const Statement& row) {
  return static_cast<std::uint64_t>(row.whole(0));
}

/// True for JSON whose values are texts, as the writers of tables need it.
bool isFlat(const std::string& result) {
  const auto json = SortedJson::parse(result, nullptr, false);
  return json.is_object() &&
         std::all_of(json.begin(), json.end(), [](const auto& value) { return value.is_string(); });
}

/// Empty for a result without an outcome.
std::string outcomeText(const PointResult& result) {
  return result.outcome ? jsonTextOf(answer::toJson(*result.outcome)) : "";
}

std::optional<answer::Outcome> outcomeIn(const std::string& text) {
  return answer::outcomeFrom(Json::parse(text, nullptr, false));
}

/// Reading locks the store, and SQLite writes beside it to do so: the folder must be writable.
std::filesystem::path existing(const std::filesystem::path& folder, const char* name) {
  std::filesystem::path file = folder / name;
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

SweepStore::SweepStore(const report::OutputFolder& folder, SweepIdentity identity)
    : database_(folder.placeOf(kStoreFile)),
      identity_(std::move(identity)),
      identity_checksum_(sweep::checksumOf(identity_)) {
  Transaction transaction(database_);
  if (isNew(database_)) {
    make();
  } else {
    expectSound();
    expectSame(readIdentity());
    damaged_ = damagedRows();
  }
  transaction.commit();
}

SweepStore::SweepStore(const std::filesystem::path& folder)
    : database_(existing(folder, kStoreFile)) {
  // A sweep that was killed at its very start has no tables.
  if (isNew(database_)) throw ofAnother(database_, "none");
  expectSound();
  identity_ = readIdentity();
  identity_checksum_ = sweep::checksumOf(identity_);
  damaged_ = damagedRows();
}

void SweepStore::make() {
  database_.execute(kTables);
  Statement(database_, "INSERT INTO sweep VALUES (?, ?, ?)")
      .bind(identity_.program)
      .bind(identity_.config)
      .bind(identity_checksum_)
      .step();
}

void SweepStore::expectSound() const {
  if (formatOf(database_) != kFormat) {
    throw ofAnother(database_, "an ipusim with another format of stores");
  }
  if (schemaOf(database_) != wantedSchema()) throw database_.damage("its tables");
  database_.expectSound();
}

SweepIdentity SweepStore::readIdentity() const {
  Statement known(database_, kIdentity);
  if (!known.step()) throw database_.damage("no sweep that it is of");
  SweepIdentity identity{known.text(0), known.text(1)};
  if (known.text(2) != sweep::checksumOf(identity) || known.step()) {
    throw database_.damage("the sweep that it is of");
  }
  return identity;
}

void SweepStore::expectSame(const SweepIdentity& known) const {
  if (known.program != identity_.program) {
    throw ofAnother(database_, fmt::format("ipusim {} (this is {})", oneLine(known.program),
                                           identity_.program));
  }
  if (known.config != identity_.config) throw ofAnother(database_, "another config");
}

std::set<std::uint64_t> SweepStore::damagedRows() const {
  std::set<std::uint64_t> damaged;
  Statement rows(database_, kRows);
  while (rows.step()) {
    const std::optional<PointResult> result = wholeRow(rows);
    if (result && isFlat(result->result)) continue;
    // Nobody can tell which point the row belonged to, so nobody can compute it again.
    if (rows.whole(0) != rows.whole(1)) throw database_.damage("the number of a point");
    damaged.insert(numberOf(rows));
  }
  return damaged;
}

std::string SweepStore::checksumOf(std::uint64_t point, const std::string& axes,
                                   const PointResult& result) const {
  return Checksum()
      .add(identity_checksum_)
      .add(point)
      .add(axes)
      .add(std::string_view(nameOf(result.status)))
      .add(result.reason)
      .add(result.result)
      .add(result.seconds)
      .add(std::string_view(outcomeText(result)))
      .text();
}

/// The result in a row of kRows; none when the row is damaged.
std::optional<PointResult> SweepStore::wholeRow(const Statement& row) const {
  const std::optional<Status> status = statusNamed(row.text(3));
  if (!status || row.whole(0) != row.whole(1)) return std::nullopt;
  PointResult result{*status, row.text(4), row.text(5), row.real(6), outcomeIn(row.text(7))};
  if (row.text(8) != checksumOf(numberOf(row), row.text(2), result)) return std::nullopt;
  return result;
}

/// The result in a row that was whole when the store was opened.
PointResult SweepStore::expectWholeRow(const Statement& row) const {
  std::optional<PointResult> result = wholeRow(row);
  if (!result) throw database_.damage(fmt::format("point {}, meanwhile", numberOf(row)));
  return *std::move(result);
}

void SweepStore::add(std::uint64_t point, const std::string& axes, const PointResult& result) {
  Statement(database_, damaged_.count(point) > 0 ? kReplace : kAdd)
      .bind(static_cast<std::int64_t>(point))
      .bind(axes)
      .bind(std::string(nameOf(result.status)))
      .bind(result.reason)
      .bind(result.result)
      .bind(result.seconds)
      .bind(outcomeText(result))
      .bind(checksumOf(point, axes, result))
      .step();
  check(database_.changes() == 1, "a point that is not in the store");
  damaged_.erase(point);
}

std::optional<PointResult> SweepStore::find(std::uint64_t point) const {
  if (damaged_.count(point) > 0) return std::nullopt;
  Statement row(database_, kRow);
  if (!row.bind(static_cast<std::int64_t>(point)).step()) return std::nullopt;
  return expectWholeRow(row);
}

std::vector<std::uint64_t> SweepStore::points() const {
  std::vector<std::uint64_t> points;
  Statement rows(database_, "SELECT number FROM points WHERE status != 'failed' ORDER BY number");
  while (rows.step()) {
    if (damaged_.count(numberOf(rows)) == 0) points.push_back(numberOf(rows));
  }
  return points;
}

void SweepStore::forEach(
    const std::function<void(std::uint64_t, const PointResult&)>& visit) const {
  Statement rows(database_, kRows);
  while (rows.step()) {
    const std::uint64_t number = numberOf(rows);
    if (damaged_.count(number) == 0) visit(number, expectWholeRow(rows));
  }
}

}  // namespace ipusim::sweep
