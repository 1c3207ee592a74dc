// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/profiles/vendor_words.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace ipusim::interop {

namespace {

struct CategoryWord {
  MemoryCategory category;
  std::string_view word;
};

/// The names of libpva and of the JSON before it, which writes some in the plural.
constexpr std::array<CategoryWord, 16> kInProfile = {{
    {MemoryCategory::Variables, "variable"},
    {MemoryCategory::Constants, "constant"},
    {MemoryCategory::MessageBuffers, "message"},
    {MemoryCategory::VertexCode, "vertexCode"},
    {MemoryCategory::VertexState, "vertexInstanceState"},
    {MemoryCategory::VertexFieldData, "vertexFieldData"},
    {MemoryCategory::VertexFieldData, "vectorListDescriptor"},
    {MemoryCategory::CopyDescriptors, "copyDescriptor"},
    {MemoryCategory::ExchangeCode, "internalExchangeCode"},
    {MemoryCategory::ControlCode, "controlCode"},
    {MemoryCategory::ControlCode, "controlTable"},
    {MemoryCategory::HostExchangeCode, "hostExchangeCode"},
    {MemoryCategory::HostExchangeHeaders, "hostExchangePacketHeader"},
    {MemoryCategory::GlobalExchangeCode, "globalExchangeCode"},
    {MemoryCategory::GlobalExchangeHeaders, "globalExchangePacketHeader"},
    {MemoryCategory::Stack, "stack"},
}};

constexpr std::array<CategoryWord, 16> kInSummary = {{
    {MemoryCategory::Variables, "Variables"},
    {MemoryCategory::Constants, "Constants"},
    {MemoryCategory::MessageBuffers, "Messages"},
    {MemoryCategory::VertexCode, "Vertex Code"},
    {MemoryCategory::VertexState, "Vertex Instances"},
    {MemoryCategory::VertexFieldData, "Vertex Field Data"},
    {MemoryCategory::VertexFieldData, "VectorList Descriptors"},
    {MemoryCategory::CopyDescriptors, "Copy Descriptors"},
    {MemoryCategory::ExchangeCode, "Internal Exchange Code"},
    {MemoryCategory::ControlCode, "Control Code"},
    {MemoryCategory::ControlCode, "Control Table"},
    {MemoryCategory::HostExchangeCode, "Host Exchange Code"},
    {MemoryCategory::HostExchangeHeaders, "Host Exchange Packet Headers"},
    {MemoryCategory::GlobalExchangeCode, "Global Exchange Code"},
    {MemoryCategory::GlobalExchangeHeaders, "Global Exchange Packet Headers"},
    {MemoryCategory::Stack, "Stack"},
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
  if (contains(type, "GlobalExchange")) return StepKind::GlobalExchange;
  if (contains(type, "Exchange")) return StepKind::Exchange;
  return StepKind::Compute;
}

}  // namespace ipusim::interop
