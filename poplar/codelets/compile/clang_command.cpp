// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/compile/clang_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "base/files/home_folder.h"
#include "poplar/codelets/compile/process.h"
#include "poplar/codelets/count/unit_code.h"

namespace ipusim::codelets {

namespace {

namespace fs = std::filesystem;

constexpr const char* kTarget = "--target=x86_64-linux-gnux32";
constexpr const char* kDeviceHeaders = "poplar/device/include";
/// Where Debian has headers of C and of Linux. By the name of its target clang looks elsewhere.
constexpr const char* kMachineHeaders = "/usr/include/x86_64-linux-gnu";

/// The number after `version ` in what the compiler says about itself; 0 where there is none.
int majorVersion(const std::string& said) {
  constexpr std::string_view kMark = "version ";
  const std::size_t mark = said.find(kMark);
  if (said.find("clang") == std::string::npos || mark == std::string::npos) return 0;
  int number = 0;
  std::from_chars(said.data() + mark + kMark.size(), said.data() + said.size(), number);
  return number;
}

std::optional<Clang> clangAt(const std::string& path) {
  const ProcessResult ended = runProgram({path, "--version"});
  if (!ended.well || majorVersion(ended.output) != kLlvmVersion) return std::nullopt;
  return Clang{path, ended.output.substr(0, ended.output.find('\n'))};
}

Clang searchClang() {
  if (const char* named = std::getenv("IPUSIM_CLANG"); named != nullptr && *named != '\0') {
    if (auto found = clangAt(named)) return *found;
    throw CompilerMissing(
        fmt::format("IPUSIM_CLANG: wanted clang {}, found \"{}\"", kLlvmVersion, named));
  }
  if (auto found = clangAt(fmt::format("clang-{}", kLlvmVersion))) return *found;
  if (auto found = clangAt("clang")) return *found;
  throw CompilerMissing(
      fmt::format("codelets need clang {0} (Debian package clang-{0}; IPUSIM_CLANG names another "
                  "place), found none",
                  kLlvmVersion));
}

/// The folders of the newest C++ library that g++ brings.
std::vector<std::string> libraryFolders() {
  const fs::path all = "/usr/include/c++";
  const fs::path machine = "/usr/include/x86_64-linux-gnu/c++";
  int newest = 0;
  std::error_code unreadable;
  for (const auto& each : fs::directory_iterator(all, unreadable)) {
    const std::string name = each.path().filename().string();
    int version = 0;
    std::from_chars(name.data(), name.data() + name.size(), version);
    if (fs::exists(machine / name, unreadable)) newest = std::max(newest, version);
  }
  if (newest == 0) {
    throw CompilerMissing("codelets need the headers of the C++ library (Debian package g++)");
  }
  const std::string name = std::to_string(newest);
  return {(all / name).string(), (machine / name).string()};
}

std::string deviceHeaders() {
  std::string folder = placeAtHome(kDeviceHeaders);
  if (!fs::exists(fs::path(folder) / "builtins.h")) {
    throw ConfigError(fmt::format("{}: wanted the headers for codelets, found none", folder));
  }
  return folder;
}

bool startsWith(const std::string& word, std::string_view start) {
  return word.compare(0, start.size(), start) == 0;
}

/// The user's flags by the step that takes them.
struct SortedFlags {
  std::vector<std::string> preprocess;
  std::vector<std::string> compile;
  std::string standard = "-std=gnu++17";
  std::string level = "-O2";  ///< popc's own when none is asked for
};

/// The flags that take the next word when they stand alone.
bool takesWord(const std::string& flag) {
  static constexpr std::array kFlags{"-I", "-D", "-U", "-include", "-isystem"};
  return std::find(kFlags.begin(), kFlags.end(), flag) != kFlags.end();
}

/// Sorts a flag that is one word.
void sortFlag(const std::string& flag, SortedFlags& sorted) {
  const auto begins = [&](std::string_view start) { return startsWith(flag, start); };
  if (begins("-std=")) {
    sorted.standard = flag;
  } else if (begins("-I") || begins("-D") || begins("-U")) {
    sorted.preprocess.push_back(flag);
  } else if (begins("-O")) {
    sorted.level = flag;
  } else if (begins("-f")) {
    sorted.compile.push_back(flag);
  } else if (!begins("-target=") && !begins("-W") && flag != "-g" && flag != "-w" && flag != "-v") {
    throw ConfigError(fmt::format("popc: unknown option {}", flag));
  }
}

SortedFlags sortFlags(const std::vector<std::string>& flags) {
  SortedFlags sorted;
  for (std::size_t at = 0; at < flags.size(); ++at) {
    const std::string& flag = flags[at];
    if (!takesWord(flag) && flag != "-target") {
      sortFlag(flag, sorted);
      continue;
    }
    if (++at == flags.size()) {
      throw ConfigError(fmt::format("popc: {}: wanted a word after it, found none", flag));
    }
    if (flag != "-target") sorted.preprocess.insert(sorted.preprocess.end(), {flag, flags[at]});
  }
  return sorted;
}

/// True where this computer converts to half by an instruction and has the vectors around it.
bool hasHalf() {
  static const bool kHas = [] {
    std::ifstream about("/proc/cpuinfo");
    for (std::string line; std::getline(about, line);) {
      if (!startsWith(line, "flags")) continue;
      line += ' ';
      return line.find(" avx2 ") != std::string::npos && line.find(" f16c ") != std::string::npos;
    }
    return false;
  }();
  return kHas;
}

}  // namespace

const Clang& findClang() {
  static const Clang kFound = searchClang();
  return kFound;
}

std::vector<std::string> preprocessWords(const CompileOptions& options) {
  const SortedFlags flags = sortFlags(options.flags);
  std::vector<std::string> words{findClang().path, kTarget,      "-x",          "c++", "-E", "-w",
                                 "-nostdinc++",    "-D__POPC__", flags.standard};
  // Headers ask by macros what the step behind this one has.
  words.insert(words.end(), {"-fno-exceptions", "-fno-rtti", flags.level});
  words.insert(words.end(), flags.compile.begin(), flags.compile.end());
  words.insert(words.end(), {"-isystem", deviceHeaders()});
  for (const std::string& folder : libraryFolders()) {
    words.insert(words.end(), {"-isystem", folder});
  }
  words.insert(words.end(), {"-idirafter", kMachineHeaders});
  words.insert(words.end(), flags.preprocess.begin(), flags.preprocess.end());
  if (options.architecture != Architecture::Cpu) {
    words.insert(words.end(),
                 {"-D__IPU__=1", fmt::format("-D__IPU_ARCH_VERSION__={}",
                                             static_cast<unsigned>(options.architecture))});
  }
  words.insert(words.end(), {"-I", ".", "-include", "builtins.h"});
  return words;
}

std::vector<std::string> compileWords(const CompileOptions& options) {
  const SortedFlags flags = sortFlags(options.flags);
  std::vector<std::string> words{findClang().path, kTarget,    "-x", "c++-cpp-output", "-w",
                                 flags.standard,   flags.level};
  words.insert(words.end(), flags.compile.begin(), flags.compile.end());
  // Every operation rounds by itself, as on the tile. Debug information tells fields and lines. A
  // load takes 8 bytes at most, so nothing is aligned to more. A red zone would hide a frame.
  words.insert(
      words.end(),
      {"-g", "-fstandalone-debug", "-fno-exceptions", "-fno-rtti", "-fno-pic", "-fno-math-errno",
       "-ffp-contract=off", "-Xclang", "-ffloat16-excess-precision=none", "-fmax-type-align=8",
       "-fno-stack-protector", "-fno-threadsafe-statics", "-fno-asynchronous-unwind-tables",
       "-mno-red-zone", "-fdebug-compilation-dir=."});
  if (hasHalf()) {
    words.insert(words.end(), {"-mavx2", "-mf16c"});
  }
  words.insert(words.end(), {"-Xclang", "-disable-llvm-passes", "-S", "-emit-llvm"});
  return words;
}

std::vector<std::string> assembleWords(const CompileOptions& options) {
  return {findClang().path,
          kTarget,
          "-x",
          "ir",
          "-w",
          levelOf(options),
          "-Xclang",
          "-disable-llvm-passes",
          "-ffunction-sections",
          "-fdata-sections",
          "-fno-pic",
          "-c"};
}

std::string levelOf(const CompileOptions& options) {
  return sortFlags(options.flags).level;
}

std::vector<std::string> splitFlags(const std::string& text) {
  constexpr std::string_view kSpaces = " \t\n";
  std::vector<std::string> words;
  std::size_t at = text.find_first_not_of(kSpaces);
  while (at < text.size()) {
    std::string& word = words.emplace_back();
    while (at < text.size() && kSpaces.find(text[at]) == std::string_view::npos) {
      const char letter = text[at++];
      if (letter != '"' && letter != '\'') {
        word += letter;
        continue;
      }
      const std::size_t end = std::min(text.find(letter, at), text.size());
      word.append(text, at, end - at);
      at = std::min(end + 1, text.size());
    }
    at = text.find_first_not_of(kSpaces, at);
  }
  return words;
}

}  // namespace ipusim::codelets
