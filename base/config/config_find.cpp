// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/config/config_document.h"
#include "base/files/home_folder.h"
#include "base/text/message.h"

namespace ipusim {
namespace {

/// How much of a place that was tried a message repeats: there are several, and each ends in the
/// same name, which may be any text.
constexpr std::size_t kTriedLength = 400;

/// The working directory, then the folder of the shipped files where there is one.
std::vector<std::filesystem::path> roots() {
  std::vector<std::filesystem::path> folders = {"."};
  if (std::filesystem::path home = homeFolder(); !home.empty()) folders.push_back(std::move(home));
  return folders;
}

bool isThere(const std::filesystem::path& path) {
  // Set when the path is too long, or when a file stands where a directory should be.
  std::error_code unreachable;
  return std::filesystem::exists(path, unreachable);
}

}  // namespace

FileSearch searchConfigFile(const std::string& path, const std::filesystem::path& beside) {
  // The file system would stop at a NUL and find another file.
  const bool usable = !path.empty() && path.find('\0') == std::string::npos;
  FileSearch search;
  const auto remember = [&](const std::string& place) {
    std::string shown = oneLine(place, kTriedLength);
    const auto end = search.tried.end();
    if (std::find(search.tried.begin(), end, shown) == end)
      search.tried.push_back(std::move(shown));
  };
  const std::filesystem::path home = homeFolder();
  for (const auto& folder : {beside.parent_path(), std::filesystem::path(), home}) {
    const std::filesystem::path candidate = folder / path;
    if (usable && isThere(candidate)) {
      search.file = candidate;
      return search;
    }
    remember(candidate.string());
  }
  if (home.empty() && std::filesystem::path(path).is_relative()) remember(placeAtHome(path));
  return search;
}

std::filesystem::path findConfigFile(const std::string& path, const std::filesystem::path& beside) {
  const FileSearch search = searchConfigFile(path, beside);
  if (search.file) return *search.file;
  throw ConfigError(fmt::format("{}: wanted a file, found none at {}", inQuotes(path),
                                fmt::join(search.tried, ", ")));
}

std::vector<std::filesystem::path> listConfigFiles(const std::string& folder,
                                                   const std::string& extension) {
  std::map<std::filesystem::path, std::filesystem::path> by_name;
  for (const auto& root : roots()) {
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator(root / folder, none)) {
      if (entry.path().extension() == extension) by_name.emplace(entry.path().stem(), entry.path());
    }
  }
  std::vector<std::filesystem::path> files;
  files.reserve(by_name.size());
  for (const auto& [name, file] : by_name) files.push_back(file.lexically_normal());
  return files;
}

std::vector<std::string> placesOf(const std::string& folder) {
  return {folder, oneLine(placeAtHome(folder), kPathLength)};
}

}  // namespace ipusim
