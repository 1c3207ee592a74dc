// SPDX-License-Identifier: Apache-2.0
#include <dlfcn.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>

#include "base/files/disk_cache.h"
#include "base/files/read_file.h"
#include "base/files/scratch_folder.h"
#include "base/files/write_file.h"
#include "ipusim/version.h"
#include "poplar/codelets/codelets.h"
#include "poplar/codelets/compile/clang_command.h"
#include "poplar/codelets/compile/counted_code.h"
#include "poplar/codelets/compile/process.h"
#include "poplar/codelets/compile/text_cache.h"
#include "poplar/codelets/module.h"

namespace ipusim::codelets {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kCompileMostMebibytes = 256;
constexpr std::uint64_t kMostCacheBytes = std::uint64_t{256} << 20U;

/// The user's folder of compiled codelets; empty where there is no home.
fs::path cacheFolder() {
  if (const char* named = std::getenv("XDG_CACHE_HOME"); named != nullptr && *named == '/') {
    return fs::path(named) / "ipusim" / "codelets";
  }
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return {};
  return fs::path(home) / ".cache" / "ipusim" / "codelets";
}

/// What tells the file that this code runs from, a program or a shared library, from other builds.
std::string thisBuild() {
  static const char kInThisFile = 0;
  Dl_info info{};
  struct stat status {};
  if (dladdr(&kInThisFile, &info) == 0 || stat(info.dli_fname, &status) != 0) return {};
  return fmt::format("{} of {}.{}", status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec);
}

/// Null where there is no folder for it.
std::unique_ptr<DiskCache> openCache() {
  const fs::path folder = cacheFolder();
  if (folder.empty()) return nullptr;
  return std::make_unique<DiskCache>(
      DiskCache::Options{folder, kMostCacheBytes,
                         fmt::format("codelets of ipusim {}, {}", libraryVersion(), thisBuild()),
                         [](const std::string& warning) { fmt::print(stderr, "{}\n", warning); }});
}

/// The code that holds the source. The attribute makes clang emit every member function: that of a
/// class that nobody calls, as compute() is, would be left out. Functions that it marks are entered
/// as destructors of the program, and those never run here.
std::string unitOf(const CodeletSource& source) {
  const std::string text = source.text
                               ? fmt::format("#line 1 \"{}\"\n{}", source.name, *source.text)
                               : fmt::format("#include \"{}\"", fs::absolute(source.name).string());
  return fmt::format(
      "#pragma clang attribute push(__attribute__((destructor)), apply_to = "
      "function(is_member))\n{}\n#pragma clang attribute pop\n",
      text);
}

/// What the compiler said, with a reason where that is the tile's assembly.
[[noreturn]] void throwCompileError(const CodeletSource& source, const ProcessResult& ended) {
  const bool is_assembly = ended.errors.find(" in asm") != std::string::npos;
  throw CompileError(fmt::format(
      "cannot compile codelet {}{}:\n{}", source.name,
      is_assembly ? " (inline assembly of the tile is not executed here; wanted C++)" : "",
      ended.errors));
}

void runStep(std::vector<std::string> words, const std::string& from, const std::string& to,
             const CodeletSource& source) {
  words.insert(words.end(), {from, "-o", to});
  const ProcessResult ended = runProgram(std::move(words));
  if (!ended.well) throwCompileError(source, ended);
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += word + '\n';
  return text;
}

/// The text with another name for the scratch folder, which differs from run to run.
std::string withoutScratch(std::string text, const ScratchFolder& scratch) {
  const std::string name = scratch.file("unit.cpp");
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at)) {
    text.replace(at, name.size(), "codelet");
  }
  return text;
}

/// The symbols of compute(), each once.
std::vector<std::string> rootsOf(const std::vector<VertexType>& vertices) {
  std::set<std::string> symbols;
  for (const VertexType& vertex : vertices) symbols.insert(vertex.symbol);
  return {symbols.begin(), symbols.end()};
}

Codelets compileUnit(const ScratchFolder& scratch, const CompileOptions& options,
                     const CodeletSource& source) {
  runStep(compileWords(options), scratch.file("unit.ii"), scratch.file("unit.ll"), source);
  auto module = std::make_shared<detail::Module>();
  UnitCode code(scratch.file("unit.ll"));
  module->vertices = code.vertices();
  code.keepOnly(rootsOf(module->vertices));
  countCode(code, levelOf(options), *module);
  code.write(scratch.file("counted.ll"));
  runStep(assembleWords(options), scratch.file("counted.ll"), scratch.file("unit.o"), source);
  module->objects.push_back(readFile(scratch.file("unit.o"), kCompileMostMebibytes));
  return Codelets(std::move(module));
}

Codelets compileSource(const CodeletSource& source, const CompileOptions& options,
                       DiskCache* cache) {
  if (!source.text && !fs::is_regular_file(source.name)) {
    throw ConfigError(fmt::format("{}: wanted a codelet file, found none", source.name));
  }
  const ScratchFolder scratch("ipusim-codelets");
  writeFile(scratch.file("unit.cpp"), unitOf(source));
  runStep(preprocessWords(options), scratch.file("unit.cpp"), scratch.file("unit.ii"), source);
  const std::string text =
      withoutScratch(readFile(scratch.file("unit.ii"), kCompileMostMebibytes), scratch);
  writeFile(scratch.file("unit.ii"), text);
  const std::string key = findClang().version + '\n' + joined(compileWords(options)) +
                          joined(assembleWords(options)) + text;
  const std::string stage = "compile codelets";
  if (cache != nullptr) {
    if (const auto kept = cache->find(stage, key)) return fromArchive(*kept, source.name);
  }
  Codelets compiled = compileUnit(scratch, options, source);
  if (cache != nullptr) cache->keep(stage, key, toArchive(compiled));
  return compiled;
}

}  // namespace

Codelets compile(const std::vector<CodeletSource>& sources, const CompileOptions& options) {
  std::vector<Codelets> parts;
  parts.reserve(sources.size());
  for (const CodeletSource& source : sources) {
    const std::optional<std::string> key = textKey(source, options);
    std::optional<Codelets> known = key ? findByText(*key) : std::nullopt;
    if (!known) {
      known = join({compileSource(source, options, openCache().get())});
      if (key) keepByText(*key, *known);
    }
    parts.push_back(*std::move(known));
  }
  return parts.size() == 1 ? parts.front() : join(parts);
}

}  // namespace ipusim::codelets
