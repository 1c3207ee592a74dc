// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/help/key_listing.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/text/message.h"
#include "ipusim/error.h"
#include "sim/cli/help/config_reference.h"
#include "sim/registry/registry.h"
#include "workloads/sources/workload.h"

namespace ipusim::cli {

namespace {

/// A key of one or several sections that say the same of it.
struct Explained {
  ReferenceKey key;
  std::vector<std::string> sections;
};

bool isSame(const ReferenceKey& a, const ReferenceKey& b) {
  return a.path == b.path && a.meaning == b.meaning && termsOf(a) == termsOf(b);
}

bool isMeant(const ReferenceKey& key, const std::string& asked) {
  const std::string end = '.' + asked;
  const bool ends_so = key.path.size() > end.size() &&
                       key.path.compare(key.path.size() - end.size(), end.size(), end) == 0;
  return isAt(key.path, asked) || ends_so;
}

bool isKind(const std::string& name) {
  const auto& kinds = registry::workloadKinds();
  return std::any_of(kinds.begin(), kinds.end(), [&](const auto& one) { return one.name == name; });
}

/// True for a section of a workload other than `kind`.
bool isOfAnother(const ReferenceSection& section, const std::string& kind) {
  const bool is_codelet = section.name.rfind("codelet_", 0) == 0;
  if (is_codelet) return kind != "codelet";
  return section.prefix == "workload" && isKind(section.name) && section.name != kind;
}

std::vector<Explained> explained(const std::string& asked, const std::string& kind) {
  std::vector<Explained> found;
  for (const ReferenceSection& section : configReference()) {
    if (!kind.empty() && (section.reader != "run" || isOfAnother(section, kind))) continue;
    for (const ReferenceKey& key : section.keys) {
      if (!isMeant(key, asked)) continue;
      const auto same = std::find_if(found.begin(), found.end(),
                                     [&](const Explained& one) { return isSame(one.key, key); });
      if (same == found.end()) {
        found.push_back({key, {section.name}});
      } else {
        same->sections.push_back(section.name);
      }
    }
  }
  return found;
}

ConfigError unknown(const std::string& asked, const std::string& kind) {
  std::vector<std::string> paths;
  for (const ReferenceSection& section : configReference()) {
    for (const ReferenceKey& key : section.keys) paths.push_back(key.path);
  }
  const std::string whose = kind.empty() ? "" : " of " + inQuotes(kind);
  return ConfigError(fmt::format(
      "ipusim: --explain: wanted a key of a config{} (`ipusim list keys` names them), found {}{}",
      whose, inQuotes(asked), didYouMean(asked, paths)));
}

}  // namespace

std::string keyListing(const std::optional<std::string>& section) {
  const std::vector<ReferenceSection> sections =
      section ? sectionsNamed(*section) : configReference();
  std::size_t width = 0;
  std::size_t name_width = 0;
  for (const ReferenceSection& one : sections) {
    name_width = std::max(name_width, one.name.size());
    for (const ReferenceKey& key : one.keys) width = std::max(width, key.path.size());
  }
  std::string listing;
  for (const ReferenceSection& one : sections) {
    for (const ReferenceKey& key : one.keys) {
      const std::string where = section ? "" : fmt::format("{:<{}}  ", one.name, name_width);
      listing +=
          fmt::format("{:<{}}  {}{} ({})\n", key.path, width, where, key.meaning, termsOf(key));
    }
  }
  return listing;
}

std::string keyExplanation(const std::string& key, const std::string& kind) {
  const std::vector<Explained> found = explained(key, kind);
  if (found.empty()) throw unknown(key, kind);
  std::string text;
  for (const Explained& one : found) {
    if (!text.empty()) text += '\n';
    text += fmt::format("{}\n  {}\n  {}\n  in {}\n", one.key.path, one.key.meaning,
                        termsOf(one.key), fmt::join(one.sections, ", "));
  }
  return text;
}

}  // namespace ipusim::cli
