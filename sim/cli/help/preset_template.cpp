// SPDX-License-Identifier: Apache-2.0
#include "sim/cli/help/preset_template.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "base/config/config_reader.h"
#include "base/config/preset_folder.h"
#include "ipusim/error.h"
#include "sim/cli/help/comment_lines.h"
#include "sim/cli/help/config_reference.h"

namespace ipusim::cli {

namespace {

/// A kind of presets, and the preset that a new one begins as.
struct PresetKind {
  const char* name;
  const char* folder;
  const char* base;
  const char* command;  ///< runs a config with the new preset
};

constexpr std::array<PresetKind, 3> kKinds = {
    {{"gpu", "configs/gpus", "a30", "run configs/runs/matmul_a30.toml --set compare.gpu=FILE"},
     {"machine", "configs/machines", "gc200",
      "run configs/runs/quickstart.toml --set machine=FILE"},
     {"system", "configs/systems", "m2000",
      "run configs/runs/pod_all_reduce.toml --set machine=FILE"}}};

/// What the reference says of a key of a preset of this kind; null when it says nothing.
const ReferenceKey* keyOf(const PresetKind& kind, const std::string& name) {
  const std::string table = kind.name == std::string("gpu") ? "gpu." : "machine.";
  for (const ReferenceSection& section : configReference()) {
    if (section.name != kind.name) continue;
    for (const ReferenceKey& key : section.keys) {
      if (key.path == table + name) return &key;
    }
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> presetTemplateNames() {
  std::vector<std::string> names;
  names.reserve(kKinds.size());
  for (const PresetKind& kind : kKinds) names.emplace_back(kind.name);
  return names;
}

std::string presetTemplate(const std::string& name) {
  const auto* const kind = std::find_if(kKinds.begin(), kKinds.end(),
                                        [&](const PresetKind& one) { return one.name == name; });
  if (kind == kKinds.end()) throw InternalError("no presets are called " + name);
  const ConfigReader base = PresetFolder(kind->folder).read(kind->base, kind->name);
  std::string text =
      commentLines(fmt::format("Run it: ipusim {}", kind->command)) +
      commentLines(
          fmt::format("It begins as {0} is; what is left out stays as it is in {0}.", kind->base)) +
      fmt::format("\nbase = \"{}\"\n", kind->base);
  std::istringstream lines(readConfigText(base.file()));
  bool is_head = true;  // the comment on the base itself
  for (std::string line; std::getline(lines, line);) {
    is_head = is_head && line.rfind('#', 0) == 0;
    // The path of an included file holds beside the base alone.
    if (is_head || line.rfind("include = ", 0) == 0) continue;
    const ReferenceKey* const key = keyOf(*kind, line.substr(0, line.find(" = ")));
    if (key != nullptr) text += commentLines(fmt::format("{} ({})", key->meaning, termsOf(*key)));
    text += line + '\n';
  }
  return text;
}

}  // namespace ipusim::cli
