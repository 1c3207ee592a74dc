// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

namespace ipusim {

/// The part of JSON Schema (draft 7) that docs/reference/trace.schema.json uses. A word that this
/// does not know is an error.
class JsonSchema {
 public:
  explicit JsonSchema(nlohmann::json schema) : root_(std::move(schema)) {}

  [[nodiscard]] bool allows(const nlohmann::json& value) const { return allows(root_, value); }

 private:
  [[nodiscard]] bool allows(const nlohmann::json& schema, const nlohmann::json& value) const;
  [[nodiscard]] bool allows(const std::string& word, const nlohmann::json& schema,
                            const nlohmann::json& value) const;
  [[nodiscard]] std::size_t countAllowing(const nlohmann::json& schemas,
                                          const nlohmann::json& value) const;
  [[nodiscard]] bool allowsItems(const nlohmann::json& schema, const nlohmann::json& value) const;
  [[nodiscard]] bool allowsProperties(const nlohmann::json& schema,
                                      const nlohmann::json& value) const;

  nlohmann::json root_;
};

}  // namespace ipusim
