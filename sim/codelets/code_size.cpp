// SPDX-License-Identifier: Apache-2.0
#include "sim/codelets/code_size.h"

#include <algorithm>
#include <map>
#include <set>

namespace ipusim::codelets {

namespace {

constexpr std::string_view kStackSizes = ".stack_sizes";
/// An address of 4 bytes comes before the size in an entry of .stack_sizes.
constexpr std::size_t kStackEntryAddress = 4;
constexpr unsigned kLeb128Bits = 7;

/// The number that starts `bytes`, in the coding of DWARF with 7 bits a byte.
std::uint64_t readLeb128(std::string_view bytes) {
  std::uint64_t value = 0;
  unsigned shift = 0;
  for (const char each : bytes) {
    const auto byte = static_cast<unsigned char>(each);
    value |= static_cast<std::uint64_t>(byte & 0x7FU) << shift;
    if ((byte & 0x80U) == 0) break;
    shift += kLeb128Bits;
  }
  return value;
}

/// The frames of the functions of one object, by section of code.
std::map<SectionId, std::uint64_t> framesOf(const Objects& objects) {
  std::map<SectionId, std::uint64_t> frames;
  for (std::size_t object = 0; object < objects.files().size(); ++object) {
    for (const Section& section : objects.files()[object].sections) {
      if (section.name != kStackSizes || section.bytes.size() <= kStackEntryAddress) continue;
      frames[{object, section.link}] = readLeb128(section.bytes.substr(kStackEntryAddress));
    }
  }
  return frames;
}

class DeepestStack {
 public:
  explicit DeepestStack(const Objects& objects) : objects_(objects), frames_(framesOf(objects)) {}

  /// A call back to a function that is open counts once: recursion has no known depth.
  std::uint64_t from(SectionId id) {
    if (!objects_.at(id).is_code) return 0;
    const auto known = known_.find(id);
    if (known != known_.end()) return known->second;
    if (!open_.insert(id).second) return 0;
    std::uint64_t deepest = 0;
    for (const Relocation& each : objects_.at(id).relocations) {
      const Definition* target = objects_.definitionOf(id.object, each.symbol);
      if (target != nullptr) deepest = std::max(deepest, from(target->place));
    }
    open_.erase(id);
    return known_[id] = deepest + frames_[id];
  }

 private:
  const Objects& objects_;
  std::map<SectionId, std::uint64_t> frames_;
  std::map<SectionId, std::uint64_t> known_;
  std::set<SectionId> open_;
};

}  // namespace

void estimateSizes(const Objects& objects, VertexType& vertex) {
  const Definition* compute = objects.find(vertex.symbol);
  if (compute == nullptr) return;
  std::uint64_t code = 0;
  for (const SectionId id : objects.reachableFrom({compute->place})) {
    if (objects.at(id).is_code) code += objects.at(id).size;
  }
  vertex.code_bytes = Bytes(code);
  vertex.stack_bytes = Bytes(DeepestStack(objects).from(compute->place));
  vertex.size_source = SizeSource::Estimated;
}

}  // namespace ipusim::codelets
