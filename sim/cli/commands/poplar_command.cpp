// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

#include "base/files/home_folder.h"
#include "base/files/scratch_folder.h"
#include "base/files/write_file.h"
#include "base/text/message.h"
#include "ipusim/error.h"
#include "ipusim/machine.h"
#include "models/ipu/machine/system.h"
#include "sim/cli/attended_program.h"
#include "sim/cli/commands/commands.h"
#include "sim/cli/commands/config_file.h"
#include "sim/cli/commands/poplar_replay.h"
#include "sim/cli/host_toolchain.h"

namespace ipusim::cli {

namespace fs = std::filesystem;

namespace {

constexpr const char* kScratch = "ipusim-poplar";

void expectFiles(const std::vector<std::string>& sources) {
  std::error_code unreachable;
  for (const std::string& source : sources) {
    if (fs::is_regular_file(source, unreachable)) continue;
    throw ConfigError(
        fmt::format("ipusim poplar: SRC: wanted a source in C++, found {}", inQuotes(source)));
  }
}

/// Where the program of these sources goes unless said. It must not replace one of them.
fs::path usualProgram(const std::string& source) {
  fs::path program = fs::path(source).filename().replace_extension();
  if (fs::path(source).has_extension()) return program;
  throw ConfigError(
      fmt::format("-o: wanted a name for the program of {}, found none", inQuotes(source)));
}

/// Compiles, and says with the code of the compiler how that ended. What the compiler says goes to
/// standard error as it is.
int compileTo(const fs::path& out, const std::vector<std::string>& sources,
              const std::vector<std::string>& flags) {
  expectFiles(sources);
  if (homeFolder().empty()) {
    throw ConfigError("IPUSIM_HOME: wanted the folder of this installation, found an empty name");
  }
  const HostToolchain toolchain = findHostToolchain();
  // The program finds the machines and the headers for codelets of this installation.
  const ScratchFolder folder(kScratch);
  const std::string home = folder.file("home.cpp");
  writeFile(home, fmt::format("extern \"C\" {{ extern const char ipusim_home_folder[]; const char "
                              "ipusim_home_folder[] = R\"home({})home\"; }}\n",
                              fs::absolute(homeFolder()).string()));
  std::vector<std::string> all = sources;
  all.push_back(home);
  return attend(compileWords(toolchain, all, flags, out));
}

ExitCode build(const PoplarBuildArguments& arguments) {
  const fs::path out =
      arguments.out ? fs::path(*arguments.out) : usualProgram(arguments.sources[0]);
  if (compileTo(out, arguments.sources, arguments.flags) == 0) return ExitCode::Done;
  return ExitCode::UserError;
}

/// True for a program that is built already. A source may be executable, too: some file systems
/// call every file so.
bool isBuilt(const std::vector<std::string>& sources) {
  constexpr std::string_view kProgram =
      "\x7f"
      "ELF";
  constexpr std::string_view kScript = "#!";
  if (sources.size() != 1 || access(sources[0].c_str(), X_OK) != 0) return false;
  std::array<char, kProgram.size()> begin{};
  std::ifstream(sources[0], std::ios::binary).read(begin.data(), begin.size());
  const std::string_view found(begin.data(), begin.size());
  return found == kProgram || found.substr(0, kScript.size()) == kScript;
}

Variables variablesOf(const PoplarRunArguments& arguments) {
  Variables variables;
  if (arguments.machine) variables.emplace_back("IPUSIM_POPLAR_TARGET", *arguments.machine);
  if (arguments.virtual_clock) variables.emplace_back("IPUSIM_VIRTUAL_CLOCK", "1");
  if (arguments.functional_steps) {
    variables.emplace_back("IPUSIM_FUNCTIONAL_STEPS", std::to_string(*arguments.functional_steps));
  }
  if (arguments.profile) {
    variables.emplace_back("IPUSIM_POPLAR_PROFILE", fs::absolute(*arguments.profile).string());
  }
  if (arguments.record) {
    variables.emplace_back("IPUSIM_POPLAR_RECORD", fs::absolute(*arguments.record).string());
  }
  return variables;
}

/// Throws ConfigError for a name that is neither that of a machine nor that of a system.
void expectMachine(const std::string& name) {
  const std::vector<std::string> systems = systemNames();
  if (std::find(systems.begin(), systems.end(), name) == systems.end()) (void)machineOfOption(name);
}

ExitCode run(const PoplarRunArguments& arguments) {
  if (arguments.machine) expectMachine(*arguments.machine);
  if (arguments.profile) expectWritableFile(*arguments.profile);
  if (arguments.record) expectWritableFile(*arguments.record);
  const ScratchFolder folder(kScratch);
  fs::path program = folder.file("program");
  if (isBuilt(arguments.sources)) {
    if (!arguments.flags.empty()) {
      throw ConfigError(
          fmt::format("ipusim poplar run: --flag: wanted a source to compile, found {}, "
                      "a program that is built",
                      inQuotes(arguments.sources[0])));
    }
    program = fs::absolute(arguments.sources[0]);
  } else if (compileTo(program, arguments.sources, arguments.flags) != 0) {
    return ExitCode::UserError;
  }
  std::vector<std::string> words{program.string()};
  words.insert(words.end(), arguments.words.begin(), arguments.words.end());
  return static_cast<ExitCode>(attend(std::move(words), variablesOf(arguments)));
}

}  // namespace

ExitCode poplarCommand(const PoplarArguments& arguments) {
  if (const auto* asked = std::get_if<PoplarBuildArguments>(&arguments.subcommand)) {
    return build(*asked);
  }
  if (const auto* asked = std::get_if<PoplarReplayArguments>(&arguments.subcommand)) {
    return poplarReplay(*asked);
  }
  return run(std::get<PoplarRunArguments>(arguments.subcommand));
}

}  // namespace ipusim::cli
