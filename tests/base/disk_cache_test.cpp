// SPDX-License-Identifier: Apache-2.0
#include "base/files/disk_cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sstream>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace ipusim {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::uint64_t kRoomy = 1U << 30U;
constexpr std::uint64_t kTight = 100'000;

class DiskCacheTest : public testing::Test {
 protected:
  [[nodiscard]] DiskCache::Options options(std::uint64_t most_bytes = kRoomy,
                                           const std::string& program = "1.0") {
    return {folder_ / "cache", most_bytes, program,
            [this](const std::string& line) { warnings_.push_back(line); }};
  }
  /// The files of the cache but its lock.
  [[nodiscard]] std::vector<fs::path> files() const {
    std::vector<fs::path> files;
    for (const auto& file : fs::recursive_directory_iterator(folder_ / "cache")) {
      if (file.is_regular_file() && file.path().filename() != "lock") files.push_back(file.path());
    }
    return files;
  }
  [[nodiscard]] std::uint64_t bytes() const {
    std::uint64_t bytes = 0;
    for (const fs::path& file : files()) bytes += fs::file_size(file);
    return bytes;
  }
  [[nodiscard]] static std::string textOf(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
  }
  static void replace(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  }

  TemporaryFolder folder_;
  std::vector<std::string> warnings_;
};

TEST_F(DiskCacheTest, FindsInALaterRunWhatWasKept) {
  const std::string value("with\0zero", 9);
  DiskCache(options()).keep("stage", "key", value);
  DiskCache later(options());
  EXPECT_EQ(later.find("stage", "key"), value);
  EXPECT_EQ(later.find("stage", "other"), std::nullopt);
  EXPECT_EQ(later.find("other", "key"), std::nullopt);
  later.keep("stage", "key", "");
  EXPECT_EQ(later.find("stage", "key"), "");
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(DiskCacheTest, AnotherProgramFindsNothing) {
  DiskCache(options()).keep("stage", "key", "value");
  EXPECT_EQ(DiskCache(options(kRoomy, "1.1")).find("stage", "key"), std::nullopt);
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(DiskCacheTest, AnEntryOfAnotherKeyIsNotTaken) {
  DiskCache cache(options());
  cache.keep("stage", "a", "of a");
  const fs::path file_of_a = files().front();
  const std::string entry_of_a = textOf(file_of_a);
  fs::remove(file_of_a);
  cache.keep("stage", "b", "of b");
  replace(files().front(), entry_of_a);  // as if the hashes of both keys were equal
  EXPECT_EQ(cache.find("stage", "b"), std::nullopt);
}

TEST_F(DiskCacheTest, NoFlippedBitPasses) {
  DiskCache cache(options());
  cache.keep("stage", "key", "a value of some bytes");
  const fs::path file = files().front();
  const std::string whole = textOf(file);
  for (std::size_t bit = 0; bit < 8 * whole.size(); ++bit) {
    std::string damaged = whole;
    damaged[bit / 8] = static_cast<char>(damaged[bit / 8] ^ (1 << bit % 8));
    replace(file, damaged);
    EXPECT_EQ(cache.find("stage", "key"), std::nullopt) << bit;
  }
  ASSERT_THAT(warnings_, SizeIs(1));
  EXPECT_THAT(warnings_.front(), HasSubstr("found a damaged one, which is computed again"));
  cache.keep("stage", "key", "again");
  EXPECT_EQ(cache.find("stage", "key"), "again");
}

TEST_F(DiskCacheTest, NoCutEntryPasses) {
  DiskCache cache(options());
  cache.keep("stage", "key", "a value of some bytes");
  const fs::path file = files().front();
  const std::string whole = textOf(file);
  for (std::size_t length = 0; length < whole.size(); ++length) {
    replace(file, whole.substr(0, length));
    EXPECT_EQ(cache.find("stage", "key"), std::nullopt) << length;
  }
  EXPECT_THAT(warnings_, SizeIs(1));
}

TEST_F(DiskCacheTest, RemovesWhatWasUsedLeastRecently) {
  const std::string value(kTight / 5, 'v');
  DiskCache cache(options(kTight));
  cache.keep("stage", "used", value);
  cache.keep("stage", "unused", value);
  const auto long_ago = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (const fs::path& file : files()) fs::last_write_time(file, long_ago);
  EXPECT_EQ(cache.find("stage", "used"), value);
  for (int i = 0; i < 3; ++i) cache.keep("stage", fmt::format("new {}", i), value);
  cache.trim();
  EXPECT_LE(bytes(), kTight);
  EXPECT_EQ(cache.find("stage", "unused"), std::nullopt);
  EXPECT_EQ(cache.find("stage", "used"), value);
}

TEST_F(DiskCacheTest, RemovesNoFilesOfTheUser) {
  const fs::path cache = folder_ / "cache";
  const std::vector<fs::path> own = {cache / "thesis.bin", cache / "12/notes.txt",
                                     cache / "data/3456789abcdef0", cache / ".git/HEAD"};
  for (const fs::path& file : own) {
    fs::create_directories(file.parent_path());
    replace(file, std::string(2 * kTight, 'x'));
  }
  DiskCache(options(kTight)).trim();
  for (const fs::path& file : own) EXPECT_TRUE(fs::exists(file)) << file;
}

TEST_F(DiskCacheTest, DoesNotKeepWhatTakesMostOfTheFolder) {
  DiskCache cache(options(kTight));
  cache.keep("stage", "key", std::string(kTight / 2, 'v'));
  EXPECT_EQ(cache.find("stage", "key"), std::nullopt);
}

TEST_F(DiskCacheTest, AFolderThatCannotBeMadeEndsNothing) {
  (void)folder_.write("cache", "a file");
  DiskCache cache(options());
  cache.keep("stage", "key", "value");
  EXPECT_EQ(cache.find("stage", "key"), std::nullopt);
  EXPECT_THAT(warnings_, SizeIs(1));
}

TEST_F(DiskCacheTest, AFolderThatIsRemovedMeanwhileEndsNothing) {
  DiskCache cache(options());
  fs::remove_all(folder_ / "cache");
  (void)folder_.write("cache", "a file");
  cache.keep("stage", "key", "value");
  cache.keep("stage", "key", "value");
  EXPECT_EQ(cache.find("stage", "key"), std::nullopt);
  EXPECT_THAT(warnings_, SizeIs(1));
}

TEST_F(DiskCacheTest, ALockThatSomebodyHoldsStopsNothing) {
  DiskCache cache(options(kTight));
  const int held = open((folder_ / "cache" / "lock").c_str(), O_RDONLY | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_EQ(flock(held, LOCK_EX), 0);
  for (int key = 0; key < 20; ++key) {
    cache.keep("stage", std::to_string(key), std::string(kTight / 10, 'x'));
  }
  EXPECT_GT(bytes(), kTight);
  close(held);
  DiskCache later(options(kTight));
  later.trim();
  EXPECT_LE(bytes(), kTight);
}

TEST_F(DiskCacheTest, PipesInItStopNothing) {
  DiskCache cache(options(kTight));
  cache.keep("stage", "key", "value");
  const fs::path entry = files().at(0);
  fs::remove(entry);
  ASSERT_EQ(mkfifo(entry.c_str(), S_IRUSR | S_IWUSR), 0);
  ASSERT_EQ(mkfifo((folder_ / "cache" / "lock").c_str(), S_IRUSR | S_IWUSR), 0);
  EXPECT_EQ(cache.find("stage", "key"), std::nullopt);
  cache.trim();
}

TEST_F(DiskCacheTest, FollowsNoLinksInIt) {
  DiskCache cache(options(kTight));
  cache.keep("stage", "key", "value");
  const fs::path part = files().at(0).parent_path();
  fs::rename(part, folder_ / "elsewhere");
  fs::create_directory_symlink(folder_ / "elsewhere", part);
  fs::remove(folder_ / "cache" / "lock");
  fs::create_symlink(folder_ / "made", folder_ / "cache" / "lock");
  EXPECT_EQ(cache.find("stage", "key"), std::nullopt);
  fs::remove_all(folder_ / "elsewhere");
  fs::create_directory(folder_ / "elsewhere");
  cache.keep("stage", "key", "value");
  EXPECT_TRUE(fs::is_empty(folder_ / "elsewhere"));
  cache.trim();
  EXPECT_FALSE(fs::exists(folder_ / "made"));
}

TEST_F(DiskCacheTest, AnEntryWithATerabyteOfHolesIsAbsent) {
  DiskCache cache(options(~std::uint64_t{0}));
  cache.keep("stage", "key", "value");
  fs::resize_file(files().at(0), std::uint64_t{1} << 40U);
  EXPECT_EQ(cache.find("stage", "key"), std::nullopt);
}

/// Keeps and finds values of a few hundred keys; false when one is not what was kept.
bool hammer(const DiskCache::Options& options, int process) {
  constexpr int kRounds = 1000;
  constexpr int kKeys = 150;
  DiskCache cache(options);
  for (int round = 0; round < kRounds; ++round) {
    const int key = (round * 7 + process * 13) % kKeys;
    const std::string value(static_cast<std::size_t>(100 + 20 * key), static_cast<char>(key));
    const std::optional<std::string> found = cache.find("stage", std::to_string(key));
    if (found && *found != value) return false;
    if (!found) cache.keep("stage", std::to_string(key), value);
  }
  return true;
}

TEST_F(DiskCacheTest, ManyProcessesShareATightFolder) {
  constexpr int kProcesses = 4;
  DiskCache::Options tight = options(kTight);
  bool has_warned = false;
  tight.warn = [&](const std::string&) { has_warned = true; };
  std::vector<pid_t> processes;
  for (int p = 0; p < kProcesses; ++p) {
    const pid_t process = fork();
    if (process == 0) _exit(hammer(tight, p) && !has_warned ? 0 : 1);
    processes.push_back(process);
  }
  for (const pid_t process : processes) {
    int status = -1;
    ASSERT_EQ(waitpid(process, &status, 0), process);
    EXPECT_EQ(status, 0);
  }
  EXPECT_LE(bytes(), kTight);
  EXPECT_GT(bytes(), 0U);
}

}  // namespace
}  // namespace ipusim
