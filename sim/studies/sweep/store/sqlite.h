// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "ipusim/error.h"

struct sqlite3;
struct sqlite3_stmt;

// Owners around SQLite's C interface. An error with the file is a ConfigError that names it.

namespace ipusim::sweep {

/// A connection to a file. No other process can open the file meanwhile: a second connection is a
/// ConfigError. What was written survives the end of the process at any moment. A connection must
/// not be used across a fork.
class Database {
 public:
  /// Creates the file when it does not exist.
  explicit Database(const std::filesystem::path& path);

  void execute(const char* sql) const;
  /// Reads the whole file. Throws damage() when its parts are inconsistent.
  void expectSound() const;
  /// How many rows the last statement added or changed.
  [[nodiscard]] int changes() const;
  /// The error that SQLite reports.
  [[nodiscard]] ConfigError error() const;
  /// The error for `what` in the file that is not as it was written. It says how to go on.
  [[nodiscard]] ConfigError damage(const std::string& what) const;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] sqlite3* handle() const { return handle_.get(); }

 private:
  struct Closer {
    void operator()(sqlite3* handle) const;
  };
  std::filesystem::path path_;
  std::unique_ptr<sqlite3, Closer> handle_;
};

/// Makes all statements of a scope take effect, or none of them when commit() was not called.
class Transaction {
 public:
  explicit Transaction(const Database& database);
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction();
  void commit();

 private:
  const Database& database_;
  bool open_ = true;
};

/// A prepared statement. Its database must outlive it.
class Statement {
 public:
  Statement(const Database& database, const char* sql);

  /// Fills in the next `?`.
  Statement& bind(std::int64_t value);
  Statement& bind(double value);
  Statement& bind(const std::string& value);

  /// Resets the statement, so that it can be filled in and run once more.
  Statement& again();

  /// Goes to the next row; returns false when there is none. A broken constraint is an
  /// InternalError.
  bool step();

  /// Values of the columns of the row, counted from 0.
  [[nodiscard]] std::int64_t whole(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string text(int column) const;

 private:
  void expectBound(int code) const;

  struct Finalizer {
    void operator()(sqlite3_stmt* handle) const;
  };
  const Database& database_;
  std::unique_ptr<sqlite3_stmt, Finalizer> handle_;
  int bound_ = 0;
};

}  // namespace ipusim::sweep
