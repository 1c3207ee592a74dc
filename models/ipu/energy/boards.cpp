// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/energy/boards.h"

#include <map>

#include "base/config/config_reader.h"

namespace ipusim::energy {

namespace {

constexpr const char* kBoardsFile = "configs/energy/boards.toml";
constexpr double kMostWatts = 10'000;

std::map<std::string, double> readBoards() {
  std::map<std::string, double> watts;
  const ConfigReader file = ConfigReader::fromFile(findConfigFile(kBoardsFile, {}));
  for (const std::string& gpu : file.keys()) {
    const ConfigReader board = file.table(gpu);
    watts[gpu] = board.real("board_watts", 1, kMostWatts);
    static_cast<void>(board.text("source"));
  }
  file.expectAllRead();
  return watts;
}

}  // namespace

std::optional<double> boardWatts(const std::string& gpu) {
  static const std::map<std::string, double> kBoards = readBoards();
  const auto found = kBoards.find(gpu);
  return found == kBoards.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace ipusim::energy
