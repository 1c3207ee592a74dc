// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <utility>

#include "base/config_document.h"
#include "base/message.h"

namespace ipusim {
namespace {

constexpr std::size_t kPathLength = 4096;

/// The source tree: where it was built from, unless IPUSIM_TREE says where it is now.
std::filesystem::path tree() {
  const char* moved = std::getenv("IPUSIM_TREE");
  return moved != nullptr ? moved : IPUSIM_SOURCE_DIR;
}

bool isThere(const std::filesystem::path& path) {
  std::error_code unreachable;  // too long a name, or a file where a directory should be
  return std::filesystem::exists(path, unreachable);
}

}  // namespace

FileSearch searchConfigFile(const std::string& path, const std::filesystem::path& beside) {
  // The file system would stop at a NUL and find something else.
  const bool usable = !path.empty() && path.find('\0') == std::string::npos;
  FileSearch search;
  for (const auto& folder : {beside.parent_path(), std::filesystem::path(), tree()}) {
    const std::filesystem::path candidate = folder / path;
    if (usable && isThere(candidate)) {
      search.file = candidate;
      return search;
    }
    std::string shown = oneLine(candidate.string(), kPathLength);
    const auto end = search.tried.end();
    if (std::find(search.tried.begin(), end, shown) == end)
      search.tried.push_back(std::move(shown));
  }
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
  for (const auto& root : {std::filesystem::path("."), tree()}) {
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
  std::vector<std::string> places;
  for (const auto& root : {std::filesystem::path("."), tree()}) {
    places.push_back(oneLine((root / folder).lexically_normal().string(), kPathLength));
  }
  return places;
}

}  // namespace ipusim
