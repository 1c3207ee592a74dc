// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/run/link.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "ipusim/error.h"
#include "ipusim/units.h"

namespace ipusim::codelets {

namespace {

/// The pointer to the context that poplar/device/include/builtins.h declares.
constexpr std::string_view kContextSymbol = "ipusim_context";
/// What destructors of file-scope objects are registered with. They never run.
constexpr std::string_view kHandleSymbol = "__dso_handle";
/// The array of 64-bit counts that counted code of an object adds to.
constexpr std::string_view kCountsOfObject = "__ipusim_block_counts";
constexpr std::string_view kInitializers = ".init_array";
constexpr std::uint32_t kWordBytes = 8;
/// Far above the memory of a tile, since native code is larger.
constexpr std::uint32_t kMostBytes = 1U << 26U;

bool isProvided(std::string_view symbol) {
  return symbol == kContextSymbol || symbol == kHandleSymbol;
}

bool usesTable(const Relocation& relocation) {
  return relocation.type == R_X86_64_GOTPCREL || relocation.type == R_X86_64_GOTPCRELX ||
         relocation.type == R_X86_64_REX_GOTPCRELX;
}

template <typename Number>
void store(char* at, Number value) {
  std::memcpy(at, &value, sizeof value);
}

}  // namespace

Objects::Objects(const std::vector<std::string>& objects) {
  for (const std::string& bytes : objects) files_.emplace_back(bytes);
  for (std::size_t object = 0; object < files_.size(); ++object) {
    auto& locals = locals_.emplace_back();
    for (const Symbol& symbol : files_[object].symbols) {
      const Definition definition{{object, symbol.section}, symbol.value};
      locals.push_back(definition);
      const bool is_global = !symbol.is_local && symbol.section != 0 && !symbol.name.empty();
      if (is_global) globals_.emplace(symbol.name, definition);
    }
  }
}

const Definition* Objects::find(std::string_view symbol) const {
  const auto found = globals_.find(symbol);
  return found == globals_.end() ? nullptr : &found->second;
}

const Definition* Objects::definitionOf(std::size_t object, std::uint32_t symbol) const {
  const Definition& own = locals_[object][symbol];
  const Symbol& named = files_[object].symbols[symbol];
  const bool is_here = own.place.section != 0;
  const bool is_own =
      named.is_local || named.name == kCountsOfObject || (is_here && !at(own.place).is_writable);
  if (is_own) return is_here ? &own : nullptr;
  return find(named.name);
}

std::set<SectionId> Objects::reachableFrom(const std::vector<SectionId>& start) const {
  std::set<SectionId> reached(start.begin(), start.end());
  std::vector<SectionId> open = start;
  while (!open.empty()) {
    const SectionId id = open.back();
    open.pop_back();
    for (const Relocation& each : at(id).relocations) {
      const Definition* target = definitionOf(id.object, each.symbol);
      if (target != nullptr && reached.insert(target->place).second) open.push_back(target->place);
    }
  }
  return reached;
}

std::vector<SectionId> Objects::initializers() const {
  std::vector<SectionId> found;
  for (std::size_t object = 0; object < files().size(); ++object) {
    const auto& sections = files()[object].sections;
    for (std::uint32_t index = 0; index < sections.size(); ++index) {
      if (sections[index].name == kInitializers) found.push_back({object, index});
    }
  }
  return found;
}

std::set<std::string> Objects::undefinedIn(const std::set<SectionId>& sections) const {
  std::set<std::string> names;
  for (const SectionId id : sections) {
    for (const Relocation& each : at(id).relocations) {
      if (definitionOf(id.object, each.symbol) != nullptr) continue;
      const std::string_view name = nameOf(id.object, each.symbol);
      if (!isProvided(name)) names.emplace(name);
    }
  }
  return names;
}

Layout::Layout(const Objects& objects, const std::vector<std::string>& roots) : objects_(objects) {
  std::vector<SectionId> start;
  for (const std::string& root : roots) {
    const Definition* definition = objects.find(root);
    check(definition != nullptr, "a vertex has no code in its object");
    start.push_back(definition->place);
  }
  const std::vector<SectionId> initializers = objects.initializers();
  start.insert(start.end(), initializers.begin(), initializers.end());
  const std::set<SectionId> needed = objects.reachableFrom(start);
  for (const std::string& name : objects.undefinedIn(needed)) {
    stub_of_.emplace(name, externals_.size());
    externals_.push_back(name);
  }
  place(needed);
  findCounts();
}

void Layout::findCounts() {
  std::size_t first = 0;
  std::uint64_t bytes = 0;
  for (std::size_t object = 0; object < objects_.files().size(); ++object) {
    for (const Symbol& symbol : objects_.files()[object].symbols) {
      if (symbol.name != kCountsOfObject || symbol.section == 0) continue;
      const auto number = symbol.size / kWordBytes;
      const auto placed = places_.find({object, symbol.section});
      if (placed != places_.end()) {
        counts_.push_back({first, placed->second + symbol.value, number});
        bytes += symbol.size;
      }
      first += number;
    }
  }
  has_state_ = state_bytes_ > bytes;
}

Layout::SectionPart Layout::partOf(const Section& section) {
  if (section.is_code) return SectionPart::Code;
  return section.is_writable ? SectionPart::State : SectionPart::Constants;
}

std::uint32_t Layout::placePart(SectionPart part, std::uint32_t at,
                                const std::set<SectionId>& needed) {
  for (const SectionId id : needed) {
    const Section& section = objects_.at(id);
    if (!section.is_allocated || partOf(section) != part) continue;
    at = roundUp(at, section.alignment);
    if (section.size > kMostBytes || at > kMostBytes - section.size) {
      throw ConfigError("codelets: wanted code and data that a tile could have room for");
    }
    places_[id] = at;
    by_offset_.emplace_back(at, id);
    if (section.name == kInitializers) {
      for (const Relocation& each : section.relocations) initializers_.push_back(at + each.offset);
    } else if (part == SectionPart::State) {
      state_bytes_ += section.size;
    }
    at += section.size;
  }
  return at;
}

void Layout::place(const std::set<SectionId>& needed) {
  stubs_offset_ = roundUp(placePart(SectionPart::Code, 0, needed), kStubBytes);
  code_bytes_ = stubs_offset_ + static_cast<std::uint32_t>(externals_.size()) * kStubBytes;
  read_only_bytes_ = roundUp(placePart(SectionPart::Constants, code_bytes_, needed), kPageBytes);
  context_offset_ = read_only_bytes_;
  table_offset_ =
      roundUp(placePart(SectionPart::State, context_offset_ + kWordBytes, needed), kWordBytes);
  std::size_t entries = 0;
  for (const auto& [offset, id] : by_offset_) {
    const auto& uses = objects_.at(id).relocations;
    entries += static_cast<std::size_t>(std::count_if(uses.begin(), uses.end(), usesTable));
  }
  bytes_ = roundUp(table_offset_ + static_cast<std::uint32_t>(entries) * kWordBytes, kPageBytes);
}

std::uint32_t Layout::targetOf(std::size_t object, const Relocation& relocation) const {
  const Definition* definition = objects_.definitionOf(object, relocation.symbol);
  if (definition != nullptr) return offsetOf(*definition);
  const std::string name(objects_.nameOf(object, relocation.symbol));
  return isProvided(name) ? context_offset_ : stubOffset(stub_of_.at(name));
}

void Layout::relocate(SectionId id, std::uint32_t base, char* memory, std::uint32_t& table) const {
  const std::uint32_t section = places_.at(id);
  for (const Relocation& each : objects_.at(id).relocations) {
    const std::uint32_t place = section + each.offset;
    const std::uint32_t target = base + targetOf(id.object, each);
    const auto addend = static_cast<std::uint32_t>(each.addend);
    switch (each.type) {
      case R_X86_64_NONE:
        break;
      case R_X86_64_64:
        store<std::uint64_t>(memory + place, target + addend);
        break;
      case R_X86_64_32:
      case R_X86_64_32S:
        store(memory + place, target + addend);
        break;
      case R_X86_64_PC32:
      case R_X86_64_PLT32:
        store(memory + place, target + addend - (base + place));
        break;
      case R_X86_64_GOTPCREL:
      case R_X86_64_GOTPCRELX:
      case R_X86_64_REX_GOTPCRELX:
        store<std::uint64_t>(memory + table, target);
        store(memory + place, base + table + addend - (base + place));
        table += kWordBytes;
        break;
      default:
        throw ConfigError(fmt::format(
            "a codelet needs relocation {} of \"{}\", such as that of a thread_local variable",
            each.type, objects_.nameOf(id.object, each.symbol)));
    }
  }
}

void Layout::write(std::uint32_t base, char* memory) const {
  std::uint32_t table = table_offset_;
  for (const auto& [offset, id] : by_offset_) {
    const Section& section = objects_.at(id);
    std::copy(section.bytes.begin(), section.bytes.end(), memory + offset);
    relocate(id, base, memory, table);
  }
}

const SectionId* Layout::sectionAt(std::uint32_t offset, std::uint32_t& inside) const {
  for (const auto& [start, id] : by_offset_) {
    const Section& section = objects_.at(id);
    if (!section.is_code || offset < start || offset - start >= section.size) continue;
    inside = offset - start;
    return &id;
  }
  return nullptr;
}

}  // namespace ipusim::codelets
