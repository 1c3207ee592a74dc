// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <fstream>
#include <random>
#include <sstream>

#include "sim/studies/sweep/run_sweep.h"
#include "sim/studies/sweep/store/merge.h"
#include "sim/studies/sweep/store/results_csv.h"
#include "sim/studies/sweep/store/sweep_identity.h"
#include "tests/support/thrown.h"
#include "tests/sweep/folder_test.h"

namespace ipusim::sweep {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string bytesOf(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream bytes;
  bytes << file.rdbuf();
  return bytes.str();
}

void writeBytes(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

/// The text of the ConfigError, if there is one.
template <typename Act>
std::string refusalOf(const Act& act) {
  try {
    act();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return {};
}

/// A result whose length and text are formulas of the point.
PointResult resultOf(std::uint64_t point) {
  if (point == 5) return {Status::Invalid, "workload.n: wanted 4, found 5", "{}", 0.5};
  std::string json = "{";
  for (std::uint64_t i = 0; i < 12; ++i) {
    json += (i == 0 ? "\"" : ",\"") + ("part_" + std::to_string(i)) + ".cycles\":\"" +
            std::to_string(point * 1000003 + i) + "\"";
  }
  return {point % 7 == 3 ? Status::DoesNotFit : Status::Ok, "", json + "}", 0.25};
}

/// The end of a sweep over a store.
struct Outcome {
  std::string table;    // empty when the sweep was refused
  std::string refusal;  // empty when it was not
  std::uint64_t computed = 0;
  std::size_t damaged = 0;
};

/// A sweep of 40 points, in a store of several pages.
class StoreDamageTest : public FolderTest {
 protected:
  StoreDamageTest() {
    write("run.toml", "machine = \"toy\"\n");
    sweep = readSweep(ConfigReader::fromFile(write(
        "sweep.toml", "run = \"run.toml\"\n[axes]\nn = {from = 0, to = 9}\nk = [1, 2, 3, 4]\n")));
    identity = identify(sweep, Engine::ClosedForm, "1");
  }

  [[nodiscard]] Outcome run(const std::filesystem::path& folder, const Shard& shard = {}) const {
    std::filesystem::create_directories(folder);
    Outcome outcome;
    outcome.refusal = refusalOf([&] {
      const report::OutputFolder out(folder);
      SweepStore store(out, identity);
      outcome.damaged = store.damaged().size();
      const Compute compute = [](const PoolWork& work) {
        while (const auto point = work.next(std::nullopt)) work.keep(*point, resultOf(*point));
      };
      const SweepState state = runSweep(sweep, shard, compute, store,
                                        [](const SweepState&) { return StopRequest::None; });
      outcome.computed = state.done - state.before;
      writeResults(out, sweep, store);
      outcome.table = bytesOf(folder / kResultsFile);
    });
    return outcome;
  }
  [[nodiscard]] std::filesystem::path storeIn(const char* folder) const {
    return path() / folder / kStoreFile;
  }
  /// Replaces the store, and removes what belongs to the old one.
  void put(const char* folder, const std::string& bytes) const {
    std::filesystem::remove(storeIn(folder).string() + "-wal");
    writeBytes(storeIn(folder), bytes);
  }
  /// Changes the whole store of the folder by SQL.
  void change(const char* folder, const char* sql) const { Database(storeIn(folder)).execute(sql); }

  Sweep sweep;
  SweepIdentity identity;
};

/// `bytes` with another byte at `at`.
std::string damagedAt(std::string bytes, std::size_t at, std::mt19937_64& random) {
  bytes[at] = static_cast<char>(bytes[at] ^ static_cast<char>(random() % 255 + 1));
  return bytes;
}

TEST_F(StoreDamageTest, AByteNeverChangesTheTable) {
  const std::string table = run(path() / "a").table;
  const std::string whole = bytesOf(storeIn("a"));
  std::mt19937_64 random(1);
  int mended = 0;
  int refused = 0;
  for (int trial = 0; trial < 400; ++trial) {
    const std::size_t at = random() % whole.size();
    put("a", damagedAt(whole, at, random));
    const Outcome outcome = run(path() / "a");
    if (outcome.refusal.empty()) {
      ASSERT_EQ(outcome.table, table) << "byte " << at;
      ASSERT_EQ(outcome.computed, outcome.damaged) << "byte " << at;
    } else {
      ASSERT_THAT(outcome.refusal, HasSubstr(storeIn("a").string() + ": wanted ")) << at;
    }
    mended += outcome.damaged > 0 ? 1 : 0;
    refused += outcome.refusal.empty() ? 0 : 1;
  }
  EXPECT_GT(mended, 200);
  EXPECT_GT(refused, 5);
}

TEST_F(StoreDamageTest, DamageOfAnotherPartIsMendedToo) {
  const std::string table = run(path() / "whole").table;
  static_cast<void>(run(path() / "a", {0, 2}));
  static_cast<void>(run(path() / "a", {1, 2}));
  const std::string whole = bytesOf(storeIn("a"));
  std::mt19937_64 random(2);
  int mended = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t at = random() % whole.size();
    put("a", damagedAt(whole, at, random));
    const Outcome outcome = run(path() / "a", {0, 2});
    ASSERT_TRUE(outcome.table == table || !outcome.refusal.empty()) << "byte " << at;
    mended += outcome.damaged > 0 && outcome.table == table ? 1 : 0;
  }
  EXPECT_GT(mended, 50);
}

TEST_F(StoreDamageTest, AMergeTakesNoDamagedPart) {
  const std::string table = run(path() / "whole").table;
  static_cast<void>(run(path() / "a", {0, 2}));
  static_cast<void>(run(path() / "b", {1, 2}));
  const std::string whole = bytesOf(storeIn("b"));
  std::mt19937_64 random(3);
  int merged = 0;
  for (int trial = 0; trial < 100; ++trial) {
    const std::size_t at = random() % whole.size();
    put("b", damagedAt(whole, at, random));
    std::filesystem::remove(storeIn("out"));
    std::filesystem::create_directories(path() / "out");
    const std::string refusal = refusalOf([&] {
      const report::OutputFolder out(path() / "out");
      const SweepIdentity common = commonIdentity({path() / "a", path() / "b"});
      SweepStore store(out, common);
      for (const char* part : {"a", "b"}) merge(path() / part, store);
      writeResults(out, sweepOf(common), store);
    });
    if (refusal.empty()) {
      ASSERT_EQ(bytesOf(path() / "out" / kResultsFile), table) << "byte " << at;
      ++merged;
    } else {
      ASSERT_THAT(refusal, HasSubstr((path() / "b").string())) << "byte " << at;
    }
  }
  EXPECT_GT(merged, 0);
  EXPECT_LT(merged, 100);
}

TEST_F(StoreDamageTest, WhatIsCutOrOverwrittenIsRefused) {
  const std::string table = run(path() / "a").table;
  const std::string whole = bytesOf(storeIn("a"));
  constexpr std::size_t kPage = 4096;
  ASSERT_GT(whole.size(), 4 * kPage);
  for (std::size_t page = 0; page < whole.size() / kPage; ++page) {
    std::string zeros = whole;
    zeros.replace(page * kPage, kPage, kPage, '\0');
    std::string twice = whole;
    twice.replace(page * kPage, kPage, whole, kPage, kPage);
    for (const std::string& bytes : {zeros, twice, whole.substr(0, page * kPage + 100)}) {
      if (bytes == whole) continue;
      put("a", bytes);
      const Outcome outcome = run(path() / "a");
      EXPECT_TRUE(!outcome.refusal.empty() || outcome.table == table) << "page " << page;
    }
  }
}

TEST_F(StoreDamageTest, WhatAKilledProcessLeftBesideTheFileMayBeDamagedToo) {
  const std::string table = run(path() / "a").table;
  std::filesystem::create_directories(path() / "open");
  std::string file;
  std::string log;
  {
    SweepStore store(report::OutputFolder(path() / "open"), identity);
    for (std::uint64_t point = 0; point < 30; ++point) {
      store.add(point, describePoint(sweep, point), resultOf(point));
    }
    file = bytesOf(storeIn("open"));
    log = bytesOf(storeIn("open").string() + "-wal");
  }
  ASSERT_FALSE(log.empty());
  std::mt19937_64 random(4);
  int taken = 0;
  for (int trial = 0; trial < 100; ++trial) {
    put("a", file);
    const std::size_t at = random() % log.size();
    writeBytes(storeIn("a").string() + "-wal", damagedAt(log, at, random));
    const Outcome outcome = run(path() / "a");
    ASSERT_TRUE(outcome.table == table || !outcome.refusal.empty()) << "byte " << at;
    taken += outcome.table == table ? 1 : 0;
  }
  EXPECT_GT(taken, 50);
}

TEST_F(StoreDamageTest, ARowThatWasChangedIsComputedAgain) {
  const std::string table = run(path() / "a").table;
  change("a", R"(
    UPDATE points SET result = replace(result, '7', '8') WHERE number = 3;
    UPDATE points SET status = 'okay' WHERE number = 4;
    UPDATE points SET result = 'x' WHERE number = 6;
    UPDATE points SET status = 'failed' WHERE number = 8;
    UPDATE points SET seconds = seconds + 1 WHERE number = 9;)");
  {
    const SweepStore store(path() / "a");
    EXPECT_THAT(store.damaged(), ElementsAre(3, 4, 6, 8, 9));
    EXPECT_EQ(store.find(3), std::nullopt);
    EXPECT_EQ(store.points().size(), 35U);
  }
  const Outcome outcome = run(path() / "a");
  EXPECT_EQ(outcome.computed, 5U);
  EXPECT_EQ(outcome.table, table);
  EXPECT_THAT(SweepStore(path() / "a").damaged(), IsEmpty());
}

TEST_F(StoreDamageTest, ARowOfAnotherSweepIsDamaged) {
  static_cast<void>(run(path() / "a"));
  SweepIdentity other = identity;
  other.config += ' ';
  std::filesystem::create_directories(path() / "b");
  SweepStore(report::OutputFolder(path() / "b"), other).add(2, "n=0 k=3", resultOf(2));
  change("b", ("ATTACH '" + storeIn("a").string() +
               "' AS a; REPLACE INTO a.points SELECT * FROM main.points")
                  .c_str());
  EXPECT_THAT(SweepStore(path() / "a").damaged(), ElementsAre(2));
}

TEST_F(StoreDamageTest, SaysWhatIsDamagedBesideRows) {
  const auto refusal_after = [&](const char* sql) {
    std::filesystem::remove_all(path() / "a");
    static_cast<void>(run(path() / "a"));
    change("a", sql);
    return run(path() / "a").refusal;
  };
  const std::string way_out = "; move the file away, and its points are computed anew";
  EXPECT_THAT(refusal_after("UPDATE points SET number = 77 WHERE number = 7"),
              HasSubstr("found it damaged (the number of a point)" + way_out));
  EXPECT_THAT(refusal_after("UPDATE sweep SET config = replace(config, '9', '8')"),
              HasSubstr("found it damaged (the sweep that it is of)"));
  EXPECT_THAT(refusal_after("DELETE FROM sweep"), HasSubstr("(no sweep that it is of)"));
  EXPECT_THAT(
      refusal_after("CREATE TRIGGER t AFTER INSERT ON points BEGIN DELETE FROM points; END"),
      HasSubstr("found it damaged (its tables)"));
  EXPECT_THAT(refusal_after("PRAGMA user_version = 1"),
              HasSubstr("found those of an ipusim with another format of stores; give another"));
}

TEST_F(StoreDamageTest, AMergeSaysWhichPointIsDamaged) {
  static_cast<void>(run(path() / "a"));
  change("a", "UPDATE points SET reason = 'x' WHERE number = 11");
  std::filesystem::create_directories(path() / "out");
  SweepStore into(report::OutputFolder(path() / "out"), identity);
  EXPECT_THAT(configErrorOf([&] { merge(path() / "a", into); }),
              HasSubstr("sweep.sqlite: wanted points as they were written, found 1 damaged (point "
                        "11); ipusim sweep or explore with that --out computes them again"));
}

}  // namespace
}  // namespace ipusim::sweep
