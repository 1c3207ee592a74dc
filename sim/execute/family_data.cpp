// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/family_data.h"

#include <algorithm>

#include "ipusim/error.h"

namespace ipusim::checker {

using compiler::Block;
using compiler::BoundFamily;
using compiler::BoundField;

PointerCursor::PointerCursor(const BoundField& field, const std::vector<Block>& blocks,
                             TileMemories& memories)
    : field_(field), blocks_(blocks), memories_(memories) {
  enterPattern();
}

void PointerCursor::enterPattern() {
  if (isAtEnd()) return;
  index_.assign(field_.patterns[pattern_].walk.levels.size(), 0);
  offset_ = field_.patterns[pattern_].walk.begin;
}

Level<Bytes> PointerCursor::run() const {
  const auto& levels = field_.patterns[pattern_].walk.levels;
  if (levels.empty()) return {1, Bytes(0)};
  return {levels.back().count - index_.back(), levels.back().stride};
}

/// An odometer: a level that is through starts again, and the one outside it goes a step on.
void PointerCursor::advance(std::uint64_t steps) {
  const auto& levels = field_.patterns[pattern_].walk.levels;
  for (std::size_t l = levels.size(); l-- > 0; steps = 1) {
    index_[l] += steps;
    offset_ += steps * levels[l].stride;
    if (index_[l] < levels[l].count) return;
    offset_ = excess(offset_, levels[l].count * levels[l].stride);
    index_[l] = 0;
  }
  ++pattern_;
  enterPattern();
}

void PointerCursor::take(std::uint64_t count, Bytes bytes, const std::string& name,
                         std::vector<std::byte*>& pointers) {
  while (count > 0) {
    if (isAtEnd()) throw InternalError(name + ": fewer pointers than edges");
    const Block& block = blocks_[indexOf(field_.patterns[pattern_].block)];
    const Level<Bytes> here = run();
    const std::uint64_t taken = std::min(count, here.count);
    if (offset_ + (taken - 1) * here.stride + bytes > block.bytes) {
      throw InternalError(name + ": an edge leaves its block on tile " +
                          std::to_string(block.tile.tile()));
    }
    std::byte* pointer = memories_.at(block) + offset_.value();
    const std::uint64_t stride = here.stride.value();
    for (std::uint64_t i = 0; i < taken; ++i) pointers.push_back(pointer + i * stride);
    advance(taken);
    count -= taken;
  }
}

FamilyData::FamilyData(const BoundFamily& family, const std::vector<Block>& blocks,
                       TileMemories& memories)
    : fields_(family.type->fields) {
  check(family.fields.size() == fields_.size(), family.type->name + ": fields not bound");
  pointers_.reserve(fields_.size());
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    pointers_.push_back({PointerCursor(family.fields[f], blocks, memories),
                         family.type->name + "." + fields_[f].name,
                         {}});
    pointers_.back().edges.reserve(fields_[f].edges());
  }
}

void FamilyData::next() {
  for (std::size_t f = 0; f < fields_.size(); ++f) {
    FieldPointers& field = pointers_[f];
    field.edges.clear();
    const Bytes element = sizeOf(fields_[f].type);
    for (const EdgeGroup& group : fields_[f].groups) {
      field.cursor.take(group.count, group.elements * element, field.name, field.edges);
    }
  }
}

void FamilyData::checkAtEnd() const {
  for (const FieldPointers& field : pointers_) {
    if (!field.cursor.isAtEnd()) throw InternalError(field.name + ": more pointers than edges");
  }
}

std::byte* FamilyData::edge(std::size_t field, std::uint64_t edge) const {
  if (field >= pointers_.size() || edge >= pointers_[field].edges.size()) {
    throw InternalError("a vertex asks for an edge it has not got");
  }
  return pointers_[field].edges[edge];
}

}  // namespace ipusim::checker
