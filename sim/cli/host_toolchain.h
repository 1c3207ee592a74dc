// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ipusim::cli {

/// What compiles host programs that are written for Poplar.
struct HostToolchain {
  std::string compiler;             ///< as PATH finds it
  std::filesystem::path headers;    ///< the folder that has poplar/Engine.hpp
  std::filesystem::path libraries;  ///< the folder that has libpoplar.so
};

/// The compiler that the environment variable CXX names, or g++, c++ or clang++. The headers and
/// libraries are those of the folder where this program is installed, or of its build tree. Throws
/// ConfigError where one of them is not there.
HostToolchain findHostToolchain();

/// The command that compiles and links: the standard is C++17 and the level -O2 unless `flags` say
/// something else.
std::vector<std::string> compileWords(const HostToolchain& toolchain,
                                      const std::vector<std::string>& sources,
                                      const std::vector<std::string>& flags,
                                      const std::filesystem::path& out);

}  // namespace ipusim::cli
