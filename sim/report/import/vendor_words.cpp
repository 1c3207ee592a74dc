// SPDX-License-Identifier: Apache-2.0
#include "sim/report/import/vendor_words.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ipusim::run {

namespace {

struct CategoryWord {
  std::string_view word;
  MemoryCategory category;
};

/// The names of libpva and of the JSON before it, which writes some in the plural.
constexpr std::array<CategoryWord, 14> kInProfile = {{
    {"variable", MemoryCategory::Variables},
    {"constant", MemoryCategory::Constants},
    {"message", MemoryCategory::MessageBuffers},
    {"vertexCode", MemoryCategory::VertexCode},
    {"vertexInstanceState", MemoryCategory::VertexState},
    {"vertexFieldData", MemoryCategory::VertexFieldData},
    {"vectorListDescriptor", MemoryCategory::VertexFieldData},
    {"copyDescriptor", MemoryCategory::CopyDescriptors},
    {"internalExchangeCode", MemoryCategory::ExchangeCode},
    {"controlCode", MemoryCategory::ControlCode},
    {"controlTable", MemoryCategory::ControlCode},
    {"hostExchangeCode", MemoryCategory::HostExchangeCode},
    {"hostExchangePacketHeader", MemoryCategory::HostExchangeHeaders},
    {"stack", MemoryCategory::Stack},
}};

constexpr std::array<CategoryWord, 14> kInSummary = {{
    {"Variables", MemoryCategory::Variables},
    {"Constants", MemoryCategory::Constants},
    {"Messages", MemoryCategory::MessageBuffers},
    {"Vertex Code", MemoryCategory::VertexCode},
    {"Vertex Instances", MemoryCategory::VertexState},
    {"Vertex Field Data", MemoryCategory::VertexFieldData},
    {"VectorList Descriptors", MemoryCategory::VertexFieldData},
    {"Copy Descriptors", MemoryCategory::CopyDescriptors},
    {"Internal Exchange Code", MemoryCategory::ExchangeCode},
    {"Control Code", MemoryCategory::ControlCode},
    {"Control Table", MemoryCategory::ControlCode},
    {"Host Exchange Code", MemoryCategory::HostExchangeCode},
    {"Host Exchange Packet Headers", MemoryCategory::HostExchangeHeaders},
    {"Stack", MemoryCategory::Stack},
}};

template <std::size_t Size>
std::optional<MemoryCategory> find(const std::array<CategoryWord, Size>& words,
                                   std::string_view word) {
  const auto* const found = std::find_if(
      words.begin(), words.end(), [&](const CategoryWord& known) { return known.word == word; });
  if (found == words.end()) return std::nullopt;
  return found->category;
}

bool contains(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

std::optional<MemoryCategory> categoryInProfile(const std::string& name) {
  const bool plural = !name.empty() && name.back() == 's';
  return find(kInProfile, std::string_view(name).substr(0, name.size() - (plural ? 1 : 0)));
}

std::optional<MemoryCategory> categoryInSummary(const std::string& label) {
  return find(kInSummary, label);
}

StepKind stepKindOf(const std::string& type) {
  if (contains(type, "Sync")) return StepKind::Sync;
  if (contains(type, "Stream") || contains(type, "Host")) return StepKind::HostCopy;
  if (contains(type, "Exchange")) return StepKind::Exchange;
  return StepKind::Compute;
}

}  // namespace ipusim::run
