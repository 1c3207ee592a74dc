// SPDX-License-Identifier: Apache-2.0
#include "base/config/key_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace ipusim {
namespace {

struct RangeText {
  std::string operator()(std::monostate /*none*/) const { return ""; }
  std::string operator()(const KeyRequest::WholeRange& range) const {
    if (range.second >= kLargestToml) return fmt::format("{} or more", range.first);
    return fmt::format("{} to {}", range.first, range.second);
  }
  std::string operator()(const KeyRequest::RealRange& range) const {
    return fmt::format("{} to {}", range.first, range.second);
  }
  std::string operator()(const KeyRequest::Choices& choices) const {
    return fmt::format("{}", fmt::join(choices, ", "));
  }
};

struct ValueText {
  std::string operator()(std::monostate /*none*/) const { return ""; }
  template <typename Value>
  std::string operator()(const Value& value) const {
    return fmt::format("{}", value);
  }
};

}  // namespace

AskedKey inWords(std::string key, const KeyRequest& request) {
  return {std::move(key), request.type, std::visit(RangeText(), request.range),
          std::visit(ValueText(), request.otherwise),
          request.is_optional || request.otherwise.index() != 0};
}

}  // namespace ipusim
