// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/codelet_files.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

#include "ipusim/error.h"
#include "poplar/exceptions.hpp"

namespace poplar::detail {

namespace codelets = ipusim::codelets;

namespace {

codelets::CompileOptions optionsOf(const std::string& flags, const TargetData& target) {
  codelets::CompileOptions options;
  std::istringstream words(flags);
  options.flags.assign(std::istream_iterator<std::string>(words), {});
  const std::string architecture = target.architecture;
  options.architecture = target.type == TargetType::CPU ? codelets::Architecture::Cpu
                         : architecture == "ipu1"       ? codelets::Architecture::Ipu1
                         : architecture == "ipu21"      ? codelets::Architecture::Ipu21
                                                        : codelets::Architecture::Ipu2;
  return options;
}

/// The errors of the compiler as this library's.
template <typename Make>
codelets::Codelets made(const Make& make) {
  try {
    return make();
  } catch (const codelets::CompileError& error) {
    throw graph_program_compilation_error(error.what());
  } catch (const codelets::CompilerMissing& error) {
    throw no_environment(error.what());
  } catch (const ipusim::ConfigError& error) {
    throw graph_object_load_error(error.what());
  }
}

}  // namespace

codelets::Codelets codeletsOfFile(const std::string& path, const std::string& flags,
                                  const TargetData& target) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw graph_object_load_error(("codelets " + path +
                                   ": wanted a file, found none (a path is sought from the working "
                                   "directory)")
                                      .c_str());
  }
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  return made([&] {
    if (codelets::isArchive(bytes)) return codelets::fromArchive(bytes, path);
    return codelets::compile({{path, std::nullopt}}, optionsOf(flags, target));
  });
}

codelets::Codelets codeletsOfText(const std::string& source, const std::string& flags,
                                  const TargetData& target) {
  return made([&] {
    return codelets::compile({{"codelets.cpp", source}}, optionsOf(flags, target));
  });
}

}  // namespace poplar::detail
