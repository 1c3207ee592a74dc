// SPDX-License-Identifier: Apache-2.0
#include "base/config/preset_chain.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/config/errors_at.h"
#include "base/text/json.h"

namespace ipusim {

namespace fs = std::filesystem;

PresetLayer::PresetLayer(ConfigReader config, NumberForm form)
    : config_(std::move(config)), form_(form) {
  if (form == NumberForm::Plain || !config_.has("include")) return;
  const fs::path file = config_.path("include");
  included_ = withErrorsAt(config_, "include", [&] { return ConfigReader::fromFile(file); });
  for (const std::string& key : included_->keys()) {
    if (config_.has(key)) throw config_.error(key, "each key once: the included file has it too");
  }
}

bool PresetLayer::has(std::string_view key) const {
  return config_.has(key) || (included_ && included_->has(key));
}

std::optional<std::string> PresetLayer::name() const {
  constexpr std::size_t kLongestName = 64;
  if (!config_.has("name")) {
    if (form_ == NumberForm::Plain) return std::nullopt;
    return config_.file().stem().string();
  }
  std::string name = config_.text("name");
  if (name.empty() || name.size() > kLongestName) {
    throw config_.error("name", fmt::format("a text of 1 to {} bytes", kLongestName));
  }
  return name;
}

const ConfigReader& PresetLayer::holderOf(std::string_view key) const {
  return included_ && included_->has(key) ? *included_ : config_;
}

ConfigPlace PresetLayer::numberAt(const std::string& key, const char* wanted) const {
  const ConfigReader& holder = holderOf(key);
  if (form_ == NumberForm::Plain) return {holder, key};
  if (!holder.isTable(key)) throw holder.error(key, wanted);
  ConfigReader number = holder.table(key);
  if (number.text("source").find_first_not_of(' ') == std::string::npos) {
    throw number.error("source", "a text that says where the number is from");
  }
  return {std::move(number), "value"};
}

std::optional<SortedJson> PresetLayer::valueOf(const std::string& key) const {
  const ConfigReader& holder = holderOf(key);
  if (!holder.has(key)) return std::nullopt;
  const ConfigValues values = holder.values();
  const SortedJson& value = values.json().at(key);
  if (!value.is_object()) return value;
  return value.contains("value") ? std::make_optional(value.at("value")) : std::nullopt;
}

void PresetLayer::expectAllRead() const {
  config_.expectAllRead();
  if (included_) included_->expectAllRead();
}

PresetChain::PresetChain(const PresetFolder& folder, const ConfigReader& config,
                         std::string_view key) {
  if (config.isTable(key)) {
    add(folder, config.table(key), NumberForm::Plain);
  } else {
    add(folder, folder.readAt(config, key), NumberForm::Sourced);
  }
}

PresetChain::PresetChain(const PresetFolder& folder, const ConfigReader& preset) {
  add(folder, preset, NumberForm::Sourced);
}

void PresetChain::add(const PresetFolder& folder, const ConfigReader& top, NumberForm form) {
  std::vector<ConfigReader> configs = {top};
  std::vector<fs::path> files = {fs::weakly_canonical(top.file())};
  while (configs.back().has("base") || (configs.size() == 1 && form == NumberForm::Plain)) {
    const ConfigReader base = folder.readAt(configs.back(), "base");
    fs::path file = fs::weakly_canonical(base.file());
    if (std::find(files.begin(), files.end(), file) != files.end()) {
      throw configs.back().error("base", "a preset that does not lead back to this one");
    }
    files.push_back(std::move(file));
    configs.push_back(base);
  }
  for (std::size_t i = configs.size() - 1; i > 0; --i) {
    layers_.emplace_back(configs[i], NumberForm::Sourced);
  }
  layers_.emplace_back(top, form);
}

std::optional<SortedJson> PresetChain::valueOf(const std::string& key) const {
  for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
    if (auto value = layer->valueOf(key)) return value;
  }
  return std::nullopt;
}

}  // namespace ipusim
