// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "ipusim/error.h"

struct sqlite3;
struct sqlite3_stmt;

// SQLite's C interface with owners. What goes wrong with the file is a ConfigError that names it.

namespace ipusim::explore {

/// A connection to a file that nobody else has open meanwhile: a second one is a ConfigError. What
/// was written survives the end of the process at any moment. Not to be used across a fork.
class Database {
 public:
  /// Makes the file if it is not there.
  explicit Database(const std::filesystem::path& path);

  void execute(const char* sql) const;
  /// Reads the whole file. Throws damage() where its parts do not go together.
  void expectSound() const;
  /// Rows that the last statement added or changed.
  [[nodiscard]] int changes() const;
  /// The error that SQLite tells of.
  [[nodiscard]] ConfigError error() const;
  /// Says that `what` in the file is not as it was written, and how to go on.
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

/// All statements of a scope or, where it is left early, none of them.
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

  /// To be filled in and run once more.
  Statement& again();

  /// Goes to the next row; false where there is none. A broken constraint is an InternalError.
  bool step();

  /// Columns of the row, from 0.
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

}  // namespace ipusim::explore
