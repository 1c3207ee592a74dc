// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/host_toolchain.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <optional>
#include <sstream>

#include "base/files/home_folder.h"
#include "base/text/message.h"
#include "ipusim/error.h"

namespace ipusim::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kHeader = "poplar/Engine.hpp";
constexpr const char* kLibrary = "libipusim_poplar_host.a";

/// The place of a program: the word itself where it has a slash, else the first of PATH.
std::optional<fs::path> placeOf(const std::string& program) {
  if (program.find('/') != std::string::npos) {
    return access(program.c_str(), X_OK) == 0 ? std::optional<fs::path>(program) : std::nullopt;
  }
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin:/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const fs::path place = fs::path(folder) / program;
    if (access(place.c_str(), X_OK) == 0) return place;
  }
  return std::nullopt;
}

std::string findCompiler() {
  const char* const named = std::getenv("CXX");
  if (named != nullptr && *named != '\0') {
    if (placeOf(named)) return named;
    throw ConfigError(fmt::format(
        "CXX: wanted a compiler for C++, found {}, which is no program of PATH", inQuotes(named)));
  }
  for (const char* usual : {"g++", "c++", "clang++"}) {
    if (placeOf(usual)) return usual;
  }
  throw ConfigError(
      "ipusim poplar: wanted a compiler for C++ (Debian package g++; CXX names another), found "
      "none on PATH");
}

/// The first of the folders that has the file.
std::optional<fs::path> firstWith(const std::vector<fs::path>& folders, const char* file) {
  std::error_code unreachable;
  for (const fs::path& folder : folders) {
    if (fs::exists(folder / file, unreachable)) return folder.lexically_normal();
  }
  return std::nullopt;
}

/// The folder above that of this program: an installation, or a build tree.
fs::path prefix() {
  std::error_code unreachable;
  return fs::read_symlink("/proc/self/exe", unreachable).parent_path().parent_path();
}

}  // namespace

HostToolchain findHostToolchain() {
  const fs::path top = prefix();
  const auto headers = firstWith({top / "include", homeFolder() / "poplar/include"}, kHeader);
  if (!headers) {
    throw ConfigError(fmt::format("ipusim poplar: wanted {} in {}, found none", kHeader,
                                  inQuotes((top / "include").string())));
  }
  const auto libraries = firstWith({top / IPUSIM_LIBRARY_FOLDER, top / "lib"}, kLibrary);
  if (!libraries) {
    throw ConfigError(fmt::format(
        "ipusim poplar: wanted {} in {}, found none (in a source tree: cmake --build {} --target "
        "ipusim_poplar_host)",
        kLibrary, inQuotes((top / "lib").string()), top.string()));
  }
  return {findCompiler(), *headers, *libraries};
}

std::vector<std::string> compileWords(const HostToolchain& toolchain,
                                      const std::vector<std::string>& sources,
                                      const std::vector<std::string>& flags, const fs::path& out) {
  std::vector<std::string> words{toolchain.compiler, "-std=c++17", "-O2"};
  words.insert(words.end(), sources.begin(), sources.end());
  words.insert(words.end(), flags.begin(), flags.end());
  // In a build of shared libraries the program looks for them where they were found.
  words.insert(words.end(),
               {"-I", toolchain.headers.string(), "-L", toolchain.libraries.string(),
                "-Wl,-rpath," + toolchain.libraries.string(), "-lpoplar", "-o", out.string()});
  return words;
}

}  // namespace ipusim::cli
