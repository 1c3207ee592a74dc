// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>

#include <cstring>

#include "base/text/word_hash.h"
#include "tests/cli/sweep_cli_test.h"

namespace ipusim::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

/// Commands that keep plans, schedules and results in a folder.
class Cache : public SweepCliTest {
 protected:
  /// Products, one of which does not fit and one is invalid.
  [[nodiscard]] std::string products() const {
    (void)productRun();
    return write("sweep.toml",
                 "run = \"product.toml\"\n[axes]\nworkload.m = [16, 96, 100000]\n"
                 "workload.type = [\"half\", \"float\", \"none\"]\n");
  }
  [[nodiscard]] std::string productRun() const {
    return write("product.toml",
                 "machine = {base = \"gc200\", tiles = 64}\n[workload]\nkind = \"matmul\"\n"
                 "m = 64\nk = 256\nn = 64\ntype = \"half\"\n");
  }
  [[nodiscard]] std::string cache() const { return (folder() / "cache").string(); }
  [[nodiscard]] std::vector<fs::path> entries() const {
    std::vector<fs::path> entries;
    for (const auto& file : fs::recursive_directory_iterator(cache())) {
      if (file.is_regular_file() && file.path().filename() != "lock")
        entries.push_back(file.path());
    }
    return entries;
  }
  /// Gives every entry with `text` in its key another value, and the checksum for it: format,
  /// checksum, bytes of the key, key and value.
  void replaceValues(const std::string& text, const std::string& value) const {
    constexpr std::size_t kWord = sizeof(std::uint64_t);
    for (const fs::path& file : entries()) {
      std::string entry = textOf(file);
      std::uint64_t key_bytes = 0;
      std::memcpy(&key_bytes, entry.data() + 2 * kWord, kWord);
      if (entry.substr(3 * kWord, key_bytes).find(text) == std::string::npos) continue;
      entry = entry.substr(0, 3 * kWord + key_bytes) + value;
      const std::uint64_t sum = wordHash(std::string_view(entry).substr(2 * kWord));
      std::memcpy(entry.data() + kWord, &sum, kWord);
      std::ofstream(file, std::ios::binary) << entry;
    }
  }
  /// Flips a bit in the middle of every entry.
  void damageAll() const {
    for (const fs::path& entry : entries()) {
      std::string text = textOf(entry);
      text[text.size() / 2] = static_cast<char>(text[text.size() / 2] ^ 1);
      std::ofstream(entry, std::ios::binary) << text;
    }
  }
};

TEST_F(Cache, ASweepWritesTheSameBytesWithIt) {
  const std::string sweep = products();
  ASSERT_EQ(run({"sweep", sweep, "--out", out("without")}).exit_code, 0);
  for (const char* name : {"cold", "warm"}) {
    const Finished with = run({"sweep", sweep, "--out", out(name), "--cache", cache()});
    EXPECT_EQ(with.exit_code, 0) << with.err;
    EXPECT_THAT(with.err, Not(HasSubstr("--cache")));
    EXPECT_EQ(table(name), table("without"));
  }
  EXPECT_GT(entries().size(), 3U);
  damageAll();
  const Finished damaged = run({"sweep", sweep, "--out", out("damaged"), "--cache", cache()});
  EXPECT_EQ(damaged.exit_code, 0);
  EXPECT_THAT(damaged.err, HasSubstr("found a damaged one, which is computed again\n"));
  EXPECT_EQ(damaged.err.find("--cache"), damaged.err.rfind("--cache")) << damaged.err;
  EXPECT_EQ(table("damaged"), table("without"));
}

TEST_F(Cache, WhatIsNoPointIsComputedAgain) {
  (void)productRun();
  const std::string sweep =
      write("sweep.toml", "run = \"product.toml\"\n[axes]\nworkload.m = [16]\n");
  ASSERT_EQ(run({"sweep", sweep, "--out", out("first"), "--cache", cache()}).exit_code, 0);
  for (const char* poison : {R"({"fits": "true"})", R"({"fits": 1, "time.cycles": "5"})",
                             R"({"fits": "true", "time.cycles": 5})", R"(["fits"])", "{"}) {
    replaceValues("\npoint\n", poison);
    const Finished again = run({"sweep", sweep, "--out", out("again"), "--cache", cache()});
    EXPECT_EQ(again.exit_code, 0) << again.err;
    EXPECT_EQ(table("again"), table("first")) << poison;
    fs::remove_all(out("again"));
  }
}

TEST_F(Cache, AFileThatChangedGivesNewResults) {
  (void)write("own.toml", "base = \"gc200\"\ntiles = {value = 64, source = \"test\"}\n");
  (void)write("product.toml",
              "machine = \"own.toml\"\n[workload]\nkind = \"matmul\"\nm = 64\nk = 256\nn = 64\n");
  const std::string sweep =
      write("sweep.toml", "run = \"product.toml\"\n[axes]\nworkload.m = [16, 96]\n");
  ASSERT_EQ(run({"sweep", sweep, "--out", out("64"), "--cache", cache()}).exit_code, 0);
  (void)write("own.toml", "base = \"gc200\"\ntiles = {value = 32, source = \"test\"}\n");
  ASSERT_EQ(run({"sweep", sweep, "--out", out("32"), "--cache", cache()}).exit_code, 0);
  ASSERT_EQ(run({"sweep", sweep, "--out", out("32without")}).exit_code, 0);
  EXPECT_NE(table("32"), table("64"));
  EXPECT_EQ(table("32"), table("32without"));
}

TEST_F(Cache, ARunPrintsTheSameWithIt) {
  const std::string product = productRun();
  const Finished without = run({"run", product, "--json"});
  ASSERT_EQ(without.exit_code, 0) << without.err;
  for (int time = 0; time < 2; ++time) {
    const Finished with = run({"run", product, "--json", "--cache", cache()});
    EXPECT_EQ(with.exit_code, 0) << with.err;
    EXPECT_EQ(with.out, without.out);
  }
  EXPECT_GT(entries().size(), 1U);  // a plan, and an order of each exchange
}

TEST_F(Cache, OfTheEnvironmentIsUsedUnlessAnotherIsNamed) {
  const auto run_with = [this](const std::vector<std::string>& more) {
    std::vector<std::string> words = {"run", productRun(), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    return IpusimProcess(folder(), {"/usr/bin/env", "IPUSIM_CACHE=" + cache()}, words).wait();
  };
  EXPECT_EQ(run_with({"--cache", out("other")}).exit_code, 0);
  EXPECT_FALSE(fs::exists(cache()));
  EXPECT_EQ(run_with({}).out, run({"run", productRun(), "--json"}).out);
  EXPECT_GT(entries().size(), 1U);
}

TEST_F(Cache, AFolderThatCannotBeWrittenEndsNothing) {
  const std::string file = write("file", "not a folder");
  const Finished with = run({"run", productRun(), "--json", "--cache", file});
  EXPECT_EQ(with.exit_code, 0);
  EXPECT_THAT(with.err, HasSubstr("ipusim: --cache: "));
  EXPECT_EQ(with.out, run({"run", productRun(), "--json"}).out);
}

TEST_F(Cache, StaysWithinItsSize) {
  const std::string sweep = products();
  ASSERT_EQ(run({"sweep", sweep, "--out", out(), "--jobs", "2", "--cache", cache(), "--cache-size",
                 "0.02M"})
                .exit_code,
            0);
  std::uint64_t bytes = 0;
  for (const fs::path& entry : entries()) bytes += fs::file_size(entry);
  EXPECT_LE(bytes, 20'000U);
  EXPECT_GT(bytes, 0U);
}

TEST_F(Cache, RefusesASizeThatIsNone) {
  for (const char* size : {"G", "0", "-1", "1X"}) {
    const Finished refused = run({"run", productRun(), "--cache", cache(), "--cache-size", size});
    EXPECT_EQ(refused.exit_code, 2) << size;
    EXPECT_THAT(refused.err, HasSubstr("--cache-size")) << size;
  }
}

}  // namespace
}  // namespace ipusim::cli
