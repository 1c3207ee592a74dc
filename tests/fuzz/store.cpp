// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "sim/studies/sweep/store/sweep_store.h"
#include "tests/fuzz/inputs.h"

namespace ipusim::fuzz {

namespace {

namespace fs = std::filesystem;
using sweep::PointResult;
using sweep::SweepStore;

constexpr std::uint64_t kPoints = 24;
constexpr std::string_view kMagic = "SQLite format 3";
const sweep::SweepIdentity kIdentity = {"1", R"({"axes":[{"n":[1,2]}]})"};

/// Removed with this object.
class Folder {
 public:
  Folder() { fs::create_directories(path_); }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  [[nodiscard]] fs::path store() const { return path_ / sweep::kStoreFile; }
  [[nodiscard]] report::OutputFolder open() const { return report::OutputFolder(path_); }

 private:
  fs::path path_ = fs::temp_directory_path() / ("ipusim_fuzz_store." + std::to_string(getpid()));
};

PointResult resultOf(std::uint64_t point) {
  const std::string number = std::to_string(point * 1000003);
  return {sweep::Status::Ok, "", R"({"time.cycles":")" + number + R"(","fits":"true"})", 0.5};
}

std::string wholeStore(const Folder& folder) {
  fs::remove(folder.store());
  {
    SweepStore store(folder.open(), kIdentity);
    for (std::uint64_t point = 0; point < kPoints; ++point) {
      store.add(point, "n=" + std::to_string(point), resultOf(point));
    }
  }
  std::ostringstream bytes;
  bytes << std::ifstream(folder.store(), std::ios::binary).rdbuf();
  return bytes.str();
}

std::string changed(std::string whole, std::string_view changes) {
  constexpr std::size_t kChange = 3;
  constexpr std::size_t kByteValues = 256;
  for (; changes.size() >= kChange; changes.remove_prefix(kChange)) {
    const std::size_t at = static_cast<unsigned char>(changes[0]) * kByteValues +
                           static_cast<unsigned char>(changes[1]);
    char& byte = whole[at % whole.size()];
    byte = static_cast<char>(static_cast<unsigned char>(byte) +
                             static_cast<unsigned char>(changes[2]));
  }
  return whole;
}

void put(const Folder& folder, std::string_view bytes) {
  fs::remove(folder.store().string() + "-wal");
  std::ofstream(folder.store(), std::ios::binary) << bytes;
}

/// Expects that all stored points are as they were written.
void expectKept(const SweepStore& store) {
  std::uint64_t next = 0;
  store.forEach([&](std::uint64_t point, const PointResult& result) {
    if (point < next) throw std::logic_error("a point twice");
    next = point + 1;
    if (result.result != resultOf(point).result) throw std::logic_error("another result");
  });
}

}  // namespace

void store(std::string_view bytes) {
  const Folder folder;  // one per call: a process that reads mutations ends without destructors
  static const std::string kWhole = wholeStore(folder);
  const bool is_file = bytes.substr(0, kMagic.size()) == kMagic;
  put(folder, is_file ? std::string(bytes) : changed(kWhole, bytes));
  expectOneLine([&] {
    SweepStore store(folder.open(), kIdentity);
    if (!is_file) expectKept(store);
    for (std::uint64_t point = 0; point <= kPoints; ++point) {
      if (!store.find(point)) store.add(point, "", resultOf(point));
    }
    store.forEach([](std::uint64_t, const PointResult&) {});
    static_cast<void>(store.points());
  });
}

}  // namespace ipusim::fuzz
