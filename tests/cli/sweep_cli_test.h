// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <map>
#include <thread>

#include "sim/studies/sweep/store/sqlite.h"
#include "tests/cli/cli_test_base.h"

namespace ipusim::cli {

/// Sweeps that take moments.
class SweepCliTest : public CliTest {
 protected:
  /// 600 points, some of which do not fit or are invalid.
  [[nodiscard]] std::string manyPoints() const {
    (void)smallRun();
    return write("sweep.toml",
                 "run = \"run.toml\"\n[axes]\nworkload.elements = {from = 0, to = 59700, count = "
                 "200}\nworkload.type = [\"half\", \"float\", \"none\"]\n");
  }
  void TearDown() override {
    if (silent_writer_ >= 0) close(silent_writer_);
  }

  /// The second of three points never ends: who could write into the pipe that it reads is silent.
  [[nodiscard]] std::string longPoint() {
    (void)smallRun();
    const std::string pipe = (folder() / "stuck.toml").string();
    EXPECT_EQ(mkfifo(pipe.c_str(), S_IRWXU), 0);
    silent_writer_ = open(pipe.c_str(), O_RDWR | O_CLOEXEC);  // NOLINT(*-vararg): of POSIX
    return write("sweep.toml",
                 "run = \"run.toml\"\n[axes]\nmachine = [\"toy\", \"" + pipe + "\", \"bow\"]\n");
  }
  [[nodiscard]] std::string out(const std::string& name = "out") const {
    return (folder() / name).string();
  }
  [[nodiscard]] std::string table(const std::string& name = "out") const {
    return textOf(folder() / name / "results.csv");
  }
  /// The seconds that each point took, by the store. They differ when a point is computed again.
  [[nodiscard]] std::map<std::int64_t, double> stored(const std::string& name = "out") const {
    const sweep::Database database(folder() / name / "sweep.sqlite");
    std::map<std::int64_t, double> seconds;
    sweep::Statement tables(database, "SELECT 1 FROM sqlite_master WHERE name = 'points'");
    if (!tables.step()) return seconds;  // the sweep was killed at its very start
    sweep::Statement rows(database, "SELECT point, seconds FROM points");
    while (rows.step()) seconds[rows.whole(0)] = rows.real(1);
    return seconds;
  }

 private:
  int silent_writer_ = -1;
};

/// Waits until `holds`; false after a time that no machine should need.
template <typename Condition>
bool comesTrue(const Condition& holds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!holds()) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

/// True when some points are in the store, but not all yet: its journal takes 4 KiB per page, and
/// one page or more per point.
inline bool isUnderWay(const std::filesystem::path& out) {
  std::error_code none;
  const std::uintmax_t bytes = std::filesystem::file_size(out / "sweep.sqlite-wal", none);
  return !none && bytes > 200'000;
}

}  // namespace ipusim::cli
