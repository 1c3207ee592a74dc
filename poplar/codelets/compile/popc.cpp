// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/compile/popc.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "base/files/read_file.h"
#include "base/files/write_file.h"
#include "poplar/codelets/codelets.h"

namespace ipusim::codelets {

namespace {

constexpr std::uint64_t kPopcMostMebibytes = 256;
constexpr std::string_view kTargetStart = "-target=";

bool isOneOf(const std::string& word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Architecture architectureOf(const std::string& name) {
  if (name == "cpu") return Architecture::Cpu;
  if (name == "ipu1") return Architecture::Ipu1;
  if (name == "ipu2") return Architecture::Ipu2;
  if (name == "ipu21") return Architecture::Ipu21;
  throw ConfigError(
      fmt::format("popc: -target: wanted cpu, ipu1, ipu2 or ipu21, found \"{}\"", name));
}

/// The newest processor that the flags name: an archive holds the code of one.
Architecture targetOf(const std::vector<std::string>& flags) {
  Architecture newest = Architecture::Cpu;
  bool is_named = false;
  for (const std::string& flag : flags) {
    if (flag.compare(0, kTargetStart.size(), kTargetStart) != 0) continue;
    std::string names = flag.substr(kTargetStart.size()) + ",";
    for (std::size_t comma = names.find(','); comma != std::string::npos; comma = names.find(',')) {
      newest = std::max(newest, architectureOf(names.substr(0, comma)));
      names.erase(0, comma + 1);
      is_named = true;
    }
  }
  return is_named ? newest : Architecture::Ipu2;
}

Codelets codeletsOf(const std::string& input, const CompileOptions& options) {
  const std::string extension = std::filesystem::path(input).extension().string();
  if (isOneOf(extension, {".gp", ".o"}))
    return fromArchive(readFile(input, kPopcMostMebibytes), input);
  if (isOneOf(extension, {".s", ".S", ".asm"})) {
    throw ConfigError(
        fmt::format("{}: assembly of the tile is not executed here; wanted C++", input));
  }
  return compile({{input, std::nullopt}}, options);
}

}  // namespace

PopcRequest readPopcWords(const std::vector<std::string>& words) {
  PopcRequest request;
  for (std::size_t at = 0; at < words.size(); ++at) {
    const std::string& word = words[at];
    const bool takes_next =
        isOneOf(word, {"-o", "-I", "-D", "-U", "-include", "-isystem", "-target", "--target"});
    if (takes_next && at + 1 == words.size()) {
      throw ConfigError(fmt::format("popc: {}: wanted a word after it, found none", word));
    }
    if (word == "-o") {
      request.output = words[++at];
    } else if (isOneOf(word, {"-target", "--target"})) {
      request.flags.push_back(std::string(kTargetStart) + words[++at]);
    } else if (takes_next) {
      request.flags.push_back(word);
      request.flags.push_back(words[++at]);
    } else if (word.compare(0, kTargetStart.size() + 1, "--target=") == 0) {
      request.flags.push_back(word.substr(1));
    } else if (isOneOf(word, {"-S", "--emit-llvm", "-emit-llvm"})) {
      throw ConfigError(fmt::format(
          "popc: {}: code for the tile itself is not made here; wanted -o FILE.gp", word));
    } else if (word != "-c" && word.front() == '-') {
      request.flags.push_back(word);
    } else if (word != "-c") {
      request.inputs.push_back(word);
    }
  }
  if (request.inputs.empty()) throw ConfigError("popc: wanted a source, found none");
  return request;
}

void runPopc(const PopcRequest& request) {
  const CompileOptions options{request.flags, targetOf(request.flags)};
  std::vector<Codelets> parts;
  parts.reserve(request.inputs.size());
  for (const std::string& input : request.inputs) parts.push_back(codeletsOf(input, options));
  writeFile(request.output, toArchive(join(parts)));
}

}  // namespace ipusim::codelets
