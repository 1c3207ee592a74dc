// SPDX-License-Identifier: Apache-2.0
#include "base/files/home_folder.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdlib>

/// What `ipusim poplar` builds into a program: the home folder of the program that built it.
// NOLINTNEXTLINE(readability-identifier-naming): a symbol of C
extern "C" [[gnu::weak]] const char ipusim_home_folder[];

namespace ipusim {

namespace fs = std::filesystem;

namespace {

/// An address in the file that this code runs from.
const char kInThisFile = 0;

/// The shared library that holds this code, or else the program.
fs::path codeFile() {
  std::error_code unknown;
  Dl_info info{};
  void* entry = nullptr;
  if (dladdr1(&kInThisFile, &info, &entry, RTLD_DL_LINKMAP) != 0) {
    // The program itself has no name in the list of loaded files.
    const fs::path library = static_cast<const link_map*>(entry)->l_name;
    if (!library.empty()) return fs::absolute(library, unknown);
  }
  return fs::read_symlink("/proc/self/exe", unknown);
}

fs::path homeAbove(const fs::path& file) {
  std::error_code unreachable;
  for (fs::path folder = file.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    fs::path installed = folder / "share" / "ipusim";
    if (fs::exists(installed / "configs", unreachable)) return installed;
    if (fs::exists(folder / "configs" / "machines", unreachable)) return folder;
  }
  return {};
}

}  // namespace

fs::path homeFolder() {
  const char* named = std::getenv("IPUSIM_HOME");
  if (named != nullptr) return named;
  if (ipusim_home_folder != nullptr) return ipusim_home_folder;
  static const fs::path kHome = homeAbove(codeFile());
  return kHome;
}

std::string placeAtHome(const std::string& path) {
  const fs::path home = homeFolder();
  if (!home.empty()) return (home / path).lexically_normal().string();
  return fmt::format("share/ipusim/{} of a folder above {} (IPUSIM_HOME names another place)", path,
                     codeFile().string());
}

}  // namespace ipusim
