// SPDX-License-Identifier: Apache-2.0
#include "base/files/write_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <sstream>
#include <thread>

#include "base/files/write_all.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

namespace ipusim {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr mode_t kOwnerOnly = 0600;

/// Writes files in a folder of the test. The test may run as any user.
class WriteFile : public testing::Test {
 protected:
  static std::string textOf(const fs::path& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
  }
  [[nodiscard]] fs::path at(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] fs::path file(const std::string& name, const std::string& text) const {
    return folder_.write(name, text);
  }
  [[nodiscard]] fs::path link(const std::string& name, const fs::path& target) const {
    fs::create_symlink(target, at(name));
    return at(name);
  }
  [[nodiscard]] fs::path pipe(const std::string& name) const {
    EXPECT_EQ(mkfifo(at(name).c_str(), kOwnerOnly), 0);
    return at(name);
  }
  [[nodiscard]] std::ptrdiff_t count() const {
    return std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator());
  }
  static void replace(const fs::path& path, const std::string& text) {
    replaceFile(path, [&](const Sink& sink) { sink(text); });
  }

 private:
  TemporaryFolder folder_;
};

/// What can be read from a descriptor now.
std::string readNow(int descriptor) {
  std::array<char, 256> text{};
  const ssize_t count = read(descriptor, text.data(), text.size());
  return {text.data(), static_cast<std::size_t>(std::max<ssize_t>(count, 0))};
}

TEST_F(WriteFile, MakesAFileAndTheFoldersAboveIt) {
  writeFile(at("a") / "b" / "new.toml", "1");
  EXPECT_EQ(textOf(at("a") / "b" / "new.toml"), "1");
}

TEST_F(WriteFile, ReplacesARegularFileAndLeavesNothingElse) {
  const fs::path old = file("x.toml", "a longer text");
  writeFile(old, "2");
  EXPECT_EQ(textOf(old), "2");
  EXPECT_EQ(count(), 1);
}

TEST_F(WriteFile, FollowsALinkWhichStays) {
  const fs::path target = file("target", "old");
  writeFile(link("link", link("second", target)), "new");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_TRUE(fs::is_symlink(at("second")));
  EXPECT_EQ(textOf(target), "new");
}

TEST_F(WriteFile, RefusesALinkThatLeadsNowhere) {
  const fs::path nowhere = link("link", at("nowhere"));
  EXPECT_THAT(configErrorOf([&] { writeFile(nowhere, "1"); }),
              HasSubstr("link: wanted a file, found: a link that leads nowhere"));
  EXPECT_FALSE(fs::exists(at("nowhere")));
}

TEST_F(WriteFile, RefusesAFolder) {
  EXPECT_THAT(configErrorOf([&] { writeFile(at("."), "1"); }), HasSubstr("found: a folder"));
  EXPECT_THAT(configErrorOf([&] { writeFile(at("new/"), "1"); }),
              HasSubstr("wanted the name of a file"));
  EXPECT_THAT(configErrorOf([&] { writeFile("", "1"); }), HasSubstr("\"\": wanted the name"));
}

TEST_F(WriteFile, WritesIntoAPipeThatSomebodyReads) {
  const fs::path to = link("link", pipe("pipe"));
  const int reader = open(to.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  writeFile(to, "into the pipe");
  EXPECT_EQ(readNow(reader), "into the pipe");
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
  EXPECT_TRUE(fs::is_symlink(to));
  close(reader);
}

TEST_F(WriteFile, RefusesAPipeThatNobodyReads) {
  const fs::path to = pipe("pipe");
  EXPECT_THAT(configErrorOf([&] { writeFile(to, "1"); }), HasSubstr("found: nobody who reads"));
  EXPECT_TRUE(fs::is_fifo(to));
}

TEST_F(WriteFile, WritesIntoATerminal) {
  const int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0) GTEST_SKIP() << "no terminals";
  const fs::path terminal = ptsname(master);
  const int held = open(terminal.c_str(), O_RDWR | O_NOCTTY | O_CLOEXEC);
  writeFile(link("link", terminal), "shown");
  EXPECT_EQ(readNow(master), "shown");
  EXPECT_TRUE(fs::is_character_file(terminal));
  EXPECT_TRUE(fs::is_symlink(at("link")));
  close(held);
  close(master);
}

/// A device like /dev/null, which no test must put at risk.
TEST_F(WriteFile, ADeviceStaysADevice) {
  if (mknod(at("null").c_str(), S_IFCHR | kOwnerOnly, makedev(1, 3)) != 0) {
    GTEST_SKIP() << "only root makes devices";
  }
  const int usable = open(at("null").c_str(), O_WRONLY | O_CLOEXEC);
  if (usable < 0) GTEST_SKIP() << "no devices in this folder";
  close(usable);
  writeFile(at("null"), "1");
  EXPECT_TRUE(fs::is_character_file(at("null")));
}

TEST_F(WriteFile, NeverWritesThroughAPlantedDraft) {
  const fs::path target = file("target", "precious");
  const std::string process = std::to_string(getpid());
  for (const std::string& draft :
       {".x.csv." + process, ".ipusim." + process + ".0", ".ipusim." + process + ".1"}) {
    EXPECT_TRUE(fs::is_symlink(link(draft, target)));
  }
  replace(at("x.csv"), "1");
  EXPECT_EQ(textOf(target), "precious");
  EXPECT_EQ(textOf(at("x.csv")), "1");
  EXPECT_EQ(count(), 5);
}

TEST_F(WriteFile, ReplacesNothingButRegularFiles) {
  const fs::path target = file("target", "precious");
  EXPECT_THAT(configErrorOf([&] { replace(link("link", target), "1"); }),
              HasSubstr("link: wanted a regular file or nothing there, found: a link"));
  EXPECT_THAT(configErrorOf([&] { replace(pipe("pipe"), "1"); }), HasSubstr("found: a pipe"));
  EXPECT_EQ(textOf(target), "precious");
  EXPECT_TRUE(fs::is_symlink(at("link")));
  EXPECT_TRUE(fs::is_fifo(at("pipe")));
  EXPECT_EQ(count(), 3);
}

TEST_F(WriteFile, LeavesTheOldFileWhereTheNewOneFails) {
  const fs::path old = file("x", "old");
  const auto fill = [](const Sink& sink) {
    sink(std::string(100'000, 'x'));
    throw ConfigError("the source ends");
  };
  EXPECT_EQ(configErrorOf([&] { replaceFile(old, fill); }), "the source ends");
  EXPECT_EQ(textOf(old), "old");
  EXPECT_EQ(count(), 1);
}

/// Takes the rights of a user who is not root, for a while.
class AsNobody {
 public:
  AsNobody() { changed_ = geteuid() == 0 && seteuid(kNobody) == 0; }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;
  ~AsNobody() {
    if (changed_ && seteuid(0) != 0) std::abort();
  }

 private:
  static constexpr uid_t kNobody = 65534;
  bool changed_ = false;
};

TEST_F(WriteFile, AFolderThatCannotBeWrittenToIsToldWithAWayOut) {
  constexpr mode_t kReadOnly = 0555;
  fs::create_directory(at("mine"));
  ASSERT_EQ(chmod(at("mine").c_str(), kReadOnly), 0);
  const AsNobody nobody;
  EXPECT_THAT(configErrorOf([&] { makeFolder(at("mine")); }),
              HasSubstr("mine: wanted a folder to write to, found: Permission denied; name another "
                        "one, or make it writable"));
}

TEST(WriteAll, WaitsForAReaderWhereTheDescriptorDoesNotBlock) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  ASSERT_EQ(fcntl(ends[1], F_SETFL, O_NONBLOCK), 0);
  const std::string text(300'000, 'x');
  std::string received;
  std::thread reader([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    for (std::string part = readNow(ends[0]); !part.empty(); part = readNow(ends[0])) {
      received += part;
    }
  });
  const std::error_code error = writeAll(ends[1], text);
  close(ends[1]);
  reader.join();
  close(ends[0]);
  EXPECT_FALSE(error) << error.message();
  EXPECT_EQ(received.size(), text.size());
}

TEST(WriteAll, SaysWhatStoppedIt) {
  const int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
  EXPECT_EQ(writeAll(full, "1"), std::errc::no_space_on_device);
  close(full);
}

TEST_F(WriteFile, TakesALongTextInParts) {
  const fs::path old = file("x.json", "old");
  const std::string part(100'000, 'a');
  writeFile(old, [&part](const Sink& sink) {
    for (int i = 0; i < 3; ++i) sink(part);
  });
  EXPECT_EQ(textOf(old), part + part + part);
  EXPECT_EQ(count(), 1);
}

using WriteFileDeathTest = WriteFile;

TEST_F(WriteFileDeathTest, ASignalWhileALongTextIsMadeEndsTheProgramAndLeavesTheOldFile) {
  const fs::path old = file("x.json", "old");
  const auto write = [&old] {
    writeFile(old, [](const Sink& sink) {
      sink(std::string(100'000, 'a'));
      static_cast<void>(raise(SIGTERM));
    });
  };
  EXPECT_EXIT(write(), testing::KilledBySignal(SIGTERM), "");
  EXPECT_EQ(textOf(old), "old");
  EXPECT_EQ(count(), 1);
}

}  // namespace
}  // namespace ipusim
