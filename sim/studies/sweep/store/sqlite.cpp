// SPDX-License-Identifier: Apache-2.0
#include "sim/studies/sweep/store/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <cstring>

#include "base/text/message.h"

namespace ipusim::sweep {

namespace {

constexpr std::size_t kSqliteReasonLength = 200;

/// A killed process loses nothing with this journal mode: a commit has reached the operating
/// system. A computer that stops may lose the last rows, and no more. The file may be damaged, so
/// SQLite checks each page before it uses it, and runs nothing that the file asks for.
constexpr const char* kOpening =
    "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA locking_mode = EXCLUSIVE; "
    "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;";

}  // namespace

Database::Database(const std::filesystem::path& path) : path_(path) {
  sqlite3* handle = nullptr;
  const int code =
      sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  handle_.reset(handle);  // a handle that failed to open has to be closed too
  if (code != SQLITE_OK) throw error();
  // SQLite opens a file without write permission for reading, and fails later without a cause.
  if (sqlite3_db_readonly(handle, "main") == 1) {
    throw ConfigError(oneLine(path_.string(), kPathLength) +
                      ": wanted a file to write to, found one for reading only; make it writable");
  }
  execute(kOpening);
  execute("BEGIN IMMEDIATE; COMMIT");  // locks the file until it is closed
}

void Database::Closer::operator()(sqlite3* handle) const {
  sqlite3_close(handle);
}

void Database::execute(const char* sql) const {
  if (sqlite3_exec(handle(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) throw error();
}

int Database::changes() const {
  return sqlite3_changes(handle());
}

void Database::expectSound() const {
  Statement report(*this, "PRAGMA quick_check(1)");
  const std::string said = report.step() ? report.text(0) : "";
  if (said != "ok") throw damage(said);
}

ConfigError Database::error() const {
  const std::string shown = oneLine(path_.string(), kPathLength);
  const int code = sqlite3_errcode(handle());
  if (code == SQLITE_BUSY) {
    return ConfigError(shown + ": wanted a file that nobody uses, found another ipusim at work");
  }
  if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB) return damage(sqlite3_errmsg(handle()));
  const int cause = sqlite3_system_errno(handle());
  const std::string why = cause == 0 ? "" : fmt::format(" ({})", std::strerror(cause));
  return ConfigError(fmt::format("{}: wanted to keep results in it, found: {}{}", shown,
                                 oneLine(sqlite3_errmsg(handle()), kSqliteReasonLength), why));
}

ConfigError Database::damage(const std::string& what) const {
  return ConfigError(fmt::format(
      "{}: wanted a store as it was written, found it damaged ({}); move the file away, and its "
      "points are computed anew",
      oneLine(path_.string(), kPathLength), oneLine(what, kSqliteReasonLength)));
}

Transaction::Transaction(const Database& database) : database_(database) {
  database_.execute("BEGIN IMMEDIATE");
}

Transaction::~Transaction() {
  if (open_) sqlite3_exec(database_.handle(), "ROLLBACK", nullptr, nullptr, nullptr);
}

void Transaction::commit() {
  database_.execute("COMMIT");
  open_ = false;
}

Statement::Statement(const Database& database, const char* sql) : database_(database) {
  sqlite3_stmt* handle = nullptr;
  const int code = sqlite3_prepare_v2(database.handle(), sql, -1, &handle, nullptr);
  handle_.reset(handle);
  if (code != SQLITE_OK) throw database.error();
}

void Statement::Finalizer::operator()(sqlite3_stmt* handle) const {
  sqlite3_finalize(handle);
}

void Statement::expectBound(int code) const {
  if (code != SQLITE_OK) throw database_.error();
}

Statement& Statement::bind(std::int64_t value) {
  expectBound(sqlite3_bind_int64(handle_.get(), ++bound_, value));
  return *this;
}

Statement& Statement::bind(double value) {
  expectBound(sqlite3_bind_double(handle_.get(), ++bound_, value));
  return *this;
}

Statement& Statement::bind(const std::string& value) {
  expectBound(
      sqlite3_bind_text64(handle_.get(), ++bound_, value.data(), value.size(),
                          SQLITE_TRANSIENT,  // NOLINT(performance-no-int-to-ptr): SQLite's macro
                          SQLITE_UTF8));
  return *this;
}

Statement& Statement::again() {
  sqlite3_reset(handle_.get());
  bound_ = 0;
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(handle_.get());
  check(code != SQLITE_CONSTRAINT, "a row that the store cannot have, such as a point twice");
  if (code != SQLITE_ROW && code != SQLITE_DONE) throw database_.error();
  return code == SQLITE_ROW;
}

std::int64_t Statement::whole(int column) const {
  return sqlite3_column_int64(handle_.get(), column);
}

double Statement::real(int column) const {
  return sqlite3_column_double(handle_.get(), column);
}

std::string Statement::text(int column) const {
  const auto* text = static_cast<const char*>(sqlite3_column_blob(handle_.get(), column));
  const int length = sqlite3_column_bytes(handle_.get(), column);
  return text == nullptr ? std::string() : std::string(text, static_cast<std::size_t>(length));
}

}  // namespace ipusim::sweep
