// SPDX-License-Identifier: Apache-2.0
#include "base/preset_reader.h"

#include <string>

#include "base/told_at.h"

namespace ipusim {

PresetReader::PresetReader(const ConfigReader& preset) : preset_(preset) {
  if (!preset.has("include")) return;
  const std::filesystem::path file = preset.path("include");
  included_ = toldAt(preset, "include", [&] { return ConfigReader::fromFile(file); });
  for (const std::string& key : included_->keys()) {
    if (preset.has(key)) throw preset.error(key, "each key once: the included file has it too");
  }
}

bool PresetReader::has(std::string_view key) const {
  return preset_.has(key) || (included_ && included_->has(key));
}

const ConfigReader& PresetReader::holderOf(std::string_view key) const {
  return included_ && included_->has(key) ? *included_ : preset_;
}

void PresetReader::expectAllRead() const {
  preset_.expectAllRead();
  expectIncludedRead();
}

void PresetReader::expectIncludedRead() const {
  if (included_) included_->expectAllRead();
}

}  // namespace ipusim
