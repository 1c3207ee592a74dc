// SPDX-License-Identifier: Apache-2.0
#include "sim/execute/family_data.h"

#include <algorithm>

#include "ipusim/error.h"
#include "sim/execute/strict_vertex.h"

namespace ipusim::executor {

using compiler::Block;
using compiler::BoundFamily;
using compiler::BoundField;

void PointerCursor::enter(const BoundField& field) {
  field_ = &field;
  pattern_ = 0;
  enterPattern();
}

void PointerCursor::enterPattern() {
  if (isAtEnd()) return;
  index_.assign(field_->patterns[pattern_].walk.levels.size(), 0);
  offset_ = field_->patterns[pattern_].walk.begin;
}

Level<Bytes> PointerCursor::run() const {
  const auto& levels = field_->patterns[pattern_].walk.levels;
  if (levels.empty()) return {1, Bytes(0)};
  return {levels.back().count - index_.back(), levels.back().stride};
}

/// Works like an odometer: a level that is done starts again, and the level outside it goes one
/// step on.
void PointerCursor::advance(std::uint64_t steps) {
  const auto& levels = field_->patterns[pattern_].walk.levels;
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

void PointerCursor::take(std::uint64_t count, Bytes bytes, const FieldName& name, EdgeList& edges) {
  while (count > 0) {
    if (isAtEnd()) throw InternalError(name.text() + ": fewer pointers than edges");
    const BlockId id = field_->patterns[pattern_].block;
    const Block& block = (*blocks_)[indexOf(id)];
    const Level<Bytes> here = run();
    const std::uint64_t taken = std::min(count, here.count);
    if (offset_ + (taken - 1) * here.stride + bytes > block.bytes) {
      throw InternalError(name.text() + ": an edge leaves its block on tile " +
                          std::to_string(block.tile.tile()));
    }
    std::byte* pointer = memories_->at(block) + offset_.value();
    const std::uint64_t stride = here.stride.value();
    for (std::uint64_t i = 0; i < taken; ++i) edges.pointers.push_back(pointer + i * stride);
    if (memories_->owners() != nullptr) {
      for (std::uint64_t i = 0; i < taken; ++i) {
        edges.places.push_back({id, offset_ + i * here.stride});
      }
    }
    advance(taken);
    count -= taken;
  }
}

void FamilyData::compute(const BoundFamily& family) {
  enter(family);
  ByteOwners* owners = memories_->owners();
  for (std::uint32_t v = 0; v < family.count; ++v) {
    next();
    if (owners == nullptr) {
      type_->compute(*this);
    } else {
      computeStrictly(*owners);
    }
  }
  checkAtEnd();
}

void FamilyData::forEach(const BoundFamily& family, VertexPlace first,
                         const std::function<void(const VertexPlace&)>& use) {
  enter(family);
  const std::uint32_t end = first.index + family.count;
  for (VertexPlace place = first; place.index < end; ++place.index) {
    next();
    use(place);
  }
  checkAtEnd();
}

void FamilyData::enter(const BoundFamily& family) {
  type_ = family.type.get();
  bound_ = family.fields.list();
  check(bound_.size() == fields(), "a family whose fields are not bound");
  if (edges_.size() < fields()) {
    edges_.resize(fields());
    cursors_.resize(fields(), PointerCursor(*blocks_, *memories_));
  }
  for (std::size_t f = 0; f < fields(); ++f) cursors_[f].enter(bound_[f]);
}

void FamilyData::next() {
  for (std::size_t f = 0; f < fields(); ++f) {
    EdgeList& edges = edges_[f];
    edges.pointers.clear();
    edges.places.clear();
    const Field& field = type_->fields[f];
    if (field.elements() == 0) {  // edges without elements are bound to nothing
      edges.pointers.resize(field.edges());
      edges.places.resize(field.edges());
      continue;
    }
    const Bytes element = sizeOf(field.type);
    for (const EdgeGroup& group : field.groups) {
      cursors_[f].take(group.count, group.elements * element, nameOf(f), edges);
    }
  }
}

void FamilyData::checkAtEnd() const {
  for (std::size_t f = 0; f < fields(); ++f) {
    if (!cursors_[f].isAtEnd())
      throw InternalError(nameOf(f).text() + ": more pointers than edges");
  }
}

std::byte* FamilyData::edge(std::size_t field, std::uint64_t edge) const {
  if (field >= fields() || edge >= edges_[field].pointers.size()) {
    throw InternalError("a vertex asks for an edge it has not got");
  }
  return edges_[field].pointers[edge];
}

FieldName FamilyData::nameOf(std::size_t field) const {
  return {type_->name, type_->fields[field].name};
}

void FamilyData::computeStrictly(ByteOwners& owners) const {
  StrictVertex vertex(*type_, owners);
  for (std::size_t f = 0; f < fields(); ++f) {
    const Field& field = type_->fields[f];
    const EdgeList& edges = edges_[f];
    std::size_t edge = 0;
    for (const EdgeGroup& group : field.groups) {
      const Bytes bytes = group.elements * sizeOf(field.type);
      for (std::uint64_t e = 0; e < group.count; ++e, ++edge) {
        const BlockPlace& place = edges.places[edge];
        vertex.add(f, {edges.pointers[edge], {place.block, place.offset, bytes}});
      }
    }
  }
  vertex.compute(*this);
}

}  // namespace ipusim::executor
