// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/compile/text_cache.h"

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <mutex>
#include <string_view>

#include "poplar/codelets/compile/clang_command.h"

namespace ipusim::codelets {

namespace {

constexpr std::size_t kMostKept = 256;

std::size_t timesIn(const std::string& text, std::string_view word) {
  std::size_t times = 0;
  for (std::size_t at = text.find(word); at != std::string::npos;
       at = text.find(word, at + word.size())) {
    ++times;
  }
  return times;
}

/// True where each include is of a header in angle brackets: of this library, or of the compiler.
bool standsAlone(const std::string& text) {
  constexpr std::array<std::string_view, 4> kOthers = {"import", "embed", "__DATE__", "__TIME"};
  const auto has = [&](std::string_view word) { return text.find(word) != std::string::npos; };
  return timesIn(text, "include") == timesIn(text, "#include <") &&
         std::none_of(kOthers.begin(), kOthers.end(), has);
}

/// True for options that name no file.
bool isPlain(const std::string& flag) {
  if (flag.find(',') != std::string::npos) return false;  // for the preprocessor or the linker
  const std::string_view start = std::string_view(flag).substr(0, 2);
  return start == "-O" || start == "-D" || start == "-g" || start == "-W" ||
         flag.rfind("-std=", 0) == 0;
}

struct Kept {
  std::mutex mutex;
  std::map<std::string, Codelets> codelets;
  std::deque<std::string> order;  // the oldest first
};

Kept& kept() {
  static Kept kept;
  return kept;
}

}  // namespace

std::optional<std::string> textKey(const CodeletSource& source, const CompileOptions& options) {
  if (!source.text || !standsAlone(*source.text)) return std::nullopt;
  if (!std::all_of(options.flags.begin(), options.flags.end(), isPlain)) return std::nullopt;
  std::string key = findClang().version + '\n';
  for (const auto& words : {preprocessWords(options), compileWords(options)}) {
    for (const std::string& word : words) key += word + '\n';
  }
  return key + source.name + '\n' + *source.text;
}

std::optional<Codelets> findByText(const std::string& key) {
  const std::lock_guard<std::mutex> lock(kept().mutex);
  const auto found = kept().codelets.find(key);
  if (found == kept().codelets.end()) return std::nullopt;
  return found->second;
}

void keepByText(const std::string& key, const Codelets& codelets) {
  const std::lock_guard<std::mutex> lock(kept().mutex);
  if (!kept().codelets.emplace(key, codelets).second) return;
  kept().order.push_back(key);
  if (kept().order.size() <= kMostKept) return;
  kept().codelets.erase(kept().order.front());
  kept().order.pop_front();
}

}  // namespace ipusim::codelets
