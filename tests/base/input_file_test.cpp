// SPDX-License-Identifier: Apache-2.0
#include "base/files/input_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <thread>

#include "base/files/read_file.h"
#include "base/files/write_file.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/thrown.h"

namespace ipusim {
namespace {

using testing::EndsWith;

class InputFileTest : public testing::Test {
 protected:
  [[nodiscard]] std::string at(const char* name) const { return (folder_.path() / name).string(); }
  [[nodiscard]] std::string pipe() const {
    EXPECT_EQ(mkfifo(at("pipe").c_str(), 0600), 0);
    return at("pipe");
  }
  static std::string errorOf(const std::string& file) {
    return configErrorOf([&] { (void)readFile(file, 1); });
  }

  TemporaryFolder folder_;
};

TEST_F(InputFileTest, HasTheBytesOfAFile) {
  writeFile(at("file"), "some text");
  std::array<char, 16> bytes{};
  InputFile file(at("file"));
  EXPECT_EQ(file.read(bytes.data(), 4), 4U);
  EXPECT_EQ(file.read(bytes.data(), bytes.size()), 5U);
  EXPECT_EQ(file.read(bytes.data(), bytes.size()), 0U);
}

TEST_F(InputFileTest, IsNoPipeWithoutAWriter) {
  EXPECT_THAT(errorOf(pipe()), EndsWith(": wanted a file, found a pipe that nobody writes to"));
}

TEST_F(InputFileTest, IsNoDeviceWithoutAnEndAndNoFolder) {
  EXPECT_EQ(errorOf("/dev/zero"), "/dev/zero: wanted a file, found a device");
  EXPECT_THAT(errorOf(folder_.path()), EndsWith(": wanted a file, found a directory"));
  EXPECT_THAT(errorOf(at("none")), EndsWith(": wanted a readable file, found: No such file or "
                                            "directory"));
}

TEST_F(InputFileTest, WaitsForAWriterThatIsThere) {
  const std::string name = pipe();
  const int writer = open(name.c_str(), O_RDWR | O_CLOEXEC);
  std::thread late([writer] {
    constexpr useconds_t kLate = 100'000;
    usleep(kLate);
    EXPECT_EQ(write(writer, "late", 4), 4);
    close(writer);
  });
  EXPECT_EQ(readFile(name, 1), "late");
  late.join();
}

TEST_F(InputFileTest, HasWhatAWriterLeftBehind) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe2(ends.data(), O_CLOEXEC), 0);
  EXPECT_EQ(write(ends[1], "text", 4), 4);
  close(ends[1]);
  EXPECT_EQ(readFile("/dev/fd/" + std::to_string(ends[0]), 1), "text");
  close(ends[0]);
}

}  // namespace
}  // namespace ipusim
