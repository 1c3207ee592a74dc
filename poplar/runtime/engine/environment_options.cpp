// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/engine/environment_options.h"

#include <fmt/format.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/text/json.h"
#include "poplar/exceptions.hpp"

namespace poplar::detail {

namespace {

/// Appends the names and values that a variable holds, if it is set.
void append(const char* variable, std::vector<std::string>& texts) {
  const char* const said = std::getenv(variable);
  if (said == nullptr || *said == '\0') return;
  const auto object = ipusim::SortedJson::parse(said, nullptr, false);
  bool is_right = object.is_object();
  for (const auto& value : object) is_right = is_right && value.is_string();
  if (!is_right) {
    throw invalid_option(
        fmt::format("{}: wanted an object of JSON with texts as values, found {}", variable, said)
            .c_str());
  }
  for (const auto& [name, value] : object.items()) {
    texts.push_back(name);
    texts.push_back(value.get<std::string>());
  }
}

}  // namespace

WithEnvironment::WithEnvironment(const Options& options)
    : texts_(options.texts, options.texts + options.count) {
  append("POPLAR_ENGINE_OPTIONS", kept_);
  append("POPLAR_RUNTIME_OPTIONS", kept_);
  for (const std::string& text : kept_) texts_.push_back(textOf(text));
}

}  // namespace poplar::detail
