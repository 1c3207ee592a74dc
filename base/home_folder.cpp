// SPDX-License-Identifier: Apache-2.0
#include "base/home_folder.h"

#include <dlfcn.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdlib>

namespace ipusim {

namespace fs = std::filesystem;

namespace {

/// An address in the file that this code runs from.
const char kInThisFile = 0;

/// The shared library that holds this code, else the program.
fs::path codeFile() {
  std::error_code unknown;
  Dl_info info{};
  link_map* library = nullptr;
  const bool found = dladdr1(&kInThisFile, &info, reinterpret_cast<void**>(&library),  // NOLINT
                             RTLD_DL_LINKMAP) != 0;
  // The program itself has no name in the list of loaded files.
  if (found && library->l_name[0] != '\0') return fs::absolute(library->l_name, unknown);
  return fs::read_symlink("/proc/self/exe", unknown);
}

fs::path homeAbove(const fs::path& file) {
  std::error_code unreachable;
  for (fs::path folder = file.parent_path(); folder.has_relative_path();
       folder = folder.parent_path()) {
    const fs::path installed = folder / "share" / "ipusim";
    if (fs::exists(installed / "configs", unreachable)) return installed;
    if (fs::exists(folder / "configs" / "machines", unreachable)) return folder;
  }
  return {};
}

}  // namespace

fs::path homeFolder() {
  const char* named = std::getenv("IPUSIM_HOME");
  if (named != nullptr) return named;
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
