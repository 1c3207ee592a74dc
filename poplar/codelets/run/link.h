// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "poplar/codelets/run/object_file.h"

namespace ipusim::codelets {

/// A section of one of several objects.
struct SectionId {
  std::size_t object = 0;
  std::uint32_t section = 0;
  friend bool operator<(SectionId a, SectionId b) {
    return a.object != b.object ? a.object < b.object : a.section < b.section;
  }
};

/// Where a symbol is defined.
struct Definition {
  SectionId place;
  std::uint32_t value = 0;
};

/// Where the counts of one object lie in an image.
struct CountsPlace {
  std::size_t first = 0;  ///< index of its first count among those of all objects
  std::uint32_t offset = 0;
  std::uint32_t number = 0;
};

/// Objects that are linked together. The bytes of the objects must outlive this object.
class Objects {
 public:
  explicit Objects(const std::vector<std::string>& objects);

  [[nodiscard]] const Section& at(SectionId id) const {
    return files_[id.object].sections[id.section];
  }
  [[nodiscard]] const std::vector<ObjectFile>& files() const { return files_; }
  /// Null where no object defines it.
  [[nodiscard]] const Definition* find(std::string_view symbol) const;
  /// Where the symbol that a relocation of `object` names is defined; null where nowhere. Code is
  /// that of the object itself if it has some: objects that were compiled apart may use one name.
  [[nodiscard]] const Definition* definitionOf(std::size_t object, std::uint32_t symbol) const;
  [[nodiscard]] std::string_view nameOf(std::size_t object, std::uint32_t symbol) const {
    return files_[object].symbols[symbol].name;
  }
  /// All sections that the code of `start` may use, itself among them.
  [[nodiscard]] std::set<SectionId> reachableFrom(const std::vector<SectionId>& start) const;
  /// Sections with addresses of functions to call before all others.
  [[nodiscard]] std::vector<SectionId> initializers() const;
  /// Names that those sections use and no object defines.
  [[nodiscard]] std::set<std::string> undefinedIn(const std::set<SectionId>& sections) const;

 private:
  std::vector<ObjectFile> files_;
  std::unordered_map<std::string_view, Definition> globals_;
  std::vector<std::vector<Definition>> locals_;  ///< by object and symbol; section 0: nowhere
};

/// How the sections that are needed lie in memory: code and what is only read, then on pages of
/// their own what is written.
class Layout {
 public:
  /// Bytes of a piece of code that jumps to a function of this program.
  static constexpr std::uint32_t kStubBytes = 16;
  static constexpr std::uint32_t kPageBytes = 4096;

  /// `roots` are the symbols that must be there.
  Layout(const Objects& objects, const std::vector<std::string>& roots);

  [[nodiscard]] std::uint32_t bytes() const { return bytes_; }
  [[nodiscard]] std::uint32_t readOnlyBytes() const { return read_only_bytes_; }
  [[nodiscard]] std::uint32_t codeBytes() const { return code_bytes_; }
  /// True where code may change what lies in the image, besides the context and the counts.
  [[nodiscard]] bool hasState() const { return has_state_; }
  /// Of the pointer to the context of the worker.
  [[nodiscard]] std::uint32_t contextOffset() const { return context_offset_; }
  /// Names of functions of this program, in the order of their stubs.
  [[nodiscard]] const std::vector<std::string>& externals() const { return externals_; }
  [[nodiscard]] std::uint32_t stubOffset(std::size_t external) const {
    return stubs_offset_ + static_cast<std::uint32_t>(external) * kStubBytes;
  }
  /// Of a symbol that an object defines and that a root needs.
  [[nodiscard]] std::uint32_t offsetOf(const Definition& definition) const {
    return places_.at(definition.place) + definition.value;
  }
  /// Offsets of words that, once filled, hold addresses of functions to call before all others.
  [[nodiscard]] const std::vector<std::uint32_t>& initializers() const { return initializers_; }
  [[nodiscard]] const Objects& objects() const { return objects_; }

  /// Writes the image that will lie at `base` to `memory`, stubs left out. Throws ConfigError
  /// where code needs what is not offered, such as variables of a thread.
  void write(std::uint32_t base, char* memory) const;
  /// Of each object whose counts may change, in the order of the objects.
  [[nodiscard]] const std::vector<CountsPlace>& counts() const { return counts_; }
  /// The section whose code lies at `offset`, and the offset in it. Null where there is none.
  [[nodiscard]] const SectionId* sectionAt(std::uint32_t offset, std::uint32_t& inside) const;

 private:
  enum class SectionPart : std::uint8_t { Code, Constants, State };

  static SectionPart partOf(const Section& section);
  /// Places the sections of a part from `at` on; returns where they end.
  std::uint32_t placePart(SectionPart part, std::uint32_t at, const std::set<SectionId>& needed);
  void findCounts();
  void place(const std::set<SectionId>& needed);
  void relocate(SectionId id, std::uint32_t base, char* memory, std::uint32_t& table) const;
  [[nodiscard]] std::uint32_t targetOf(std::size_t object, const Relocation& relocation) const;

  const Objects& objects_;
  std::unordered_map<std::string, std::size_t> stub_of_;
  std::vector<std::string> externals_;
  std::vector<std::pair<std::uint32_t, SectionId>> by_offset_;
  std::map<SectionId, std::uint32_t> places_;
  std::vector<std::uint32_t> initializers_;
  std::vector<CountsPlace> counts_;
  std::uint32_t bytes_ = 0;
  std::uint32_t code_bytes_ = 0;
  std::uint32_t read_only_bytes_ = 0;
  std::uint32_t stubs_offset_ = 0;
  std::uint32_t context_offset_ = 0;
  std::uint32_t table_offset_ = 0;
  std::uint64_t state_bytes_ = 0;
  bool has_state_ = false;
};

}  // namespace ipusim::codelets
