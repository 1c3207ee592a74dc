// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower/lower_compute.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <optional>

#include "ipusim/error.h"
#include "sim/compile/lower/bind.h"
#include "sim/compile/lower/hash_index.h"
#include "sim/compile/lower/transfer.h"

namespace ipusim::compiler {

namespace {

std::size_t hashOf(const View& view) {
  std::size_t seed = view.size();
  for (const Section& section : view) {
    boost::hash_combine(seed, section.variable);
    boost::hash_combine(seed, section.walk.begin.value());
    for (const auto& level : section.walk.levels) {
      boost::hash_combine(seed, level.count);
      boost::hash_combine(seed, level.stride.value());
    }
  }
  return seed;
}

/// Data that one or more tiles want in buffers of their own.
struct Demand {
  View view;
  Bytes bytes;
  Destinations destinations;  ///< one entry per tile
  bool is_users =
      false;  ///< a vertex of the user's compiled code, which has no cost function, wants it
};

/// Where one tile has the data of a demand.
struct DemandBuffer {
  std::uint32_t demand;
  TileId tile;
  BlockId block;
};

/// A descriptor of copies has two strides besides its run.
constexpr std::size_t kMostLevels = 3;

/// How much further a move begins than the one before it. None where the two are not alike.
std::optional<BlockOffsets> stepBetween(const BlockMove& a, const BlockMove& b) {
  const bool alike = a.from == b.from && a.element == b.element && a.walk.levels == b.walk.levels;
  const BlockOffsets& first = a.walk.begin;
  const BlockOffsets& next = b.walk.begin;
  if (!alike || next.from < first.from || next.to < first.to) return std::nullopt;
  return BlockOffsets{Bytes(next.from.value() - first.from.value()),
                      Bytes(next.to.value() - first.to.value())};
}

/// Makes one move of moves to one block that follow one another by equal steps.
void mergeRows(std::vector<BlockMove>& moves) {
  std::vector<BlockMove> merged;
  for (std::size_t first = 0; first < moves.size();) {
    std::size_t end = first + 1;
    std::optional<BlockOffsets> step;
    if (end < moves.size()) step = stepBetween(moves[first], moves[end]);
    while (step && end < moves.size() && stepBetween(moves[end - 1], moves[end]) == step) ++end;
    BlockMove move = moves[first];
    if (end - first > 1 && move.walk.levels.size() < kMostLevels) {
      move.walk.levels.insert(move.walk.levels.begin(), {end - first, *step});
    } else {
      end = first + 1;
    }
    merged.push_back(std::move(move));
    first = end;
  }
  moves = std::move(merged);
}

class ComputeLowering {
 public:
  ComputeLowering(const ComputeSet& compute_set, Placement& placement)
      : compute_set_(compute_set), placement_(placement), before_(placement), after_(placement) {}

  std::vector<Step> run() {
    Step compute{compute_set_.name, StepKind::Compute, {}, {}};
    compute.families.reserve(compute_set_.families.size());
    for (const VertexFamily& family : compute_set_.families) {
      if (family.apart && family.count > 1) {
        bindApart(family, compute.families);
      } else {
        compute.families.push_back(bind(family));
      }
    }
    compute.families.shrink_to_fit();
    for (const Demand& demand : demands_) bring(demand);
    std::vector<Step> steps = before_.take(compute_set_.name + "/Pre");
    if (!compute.families.empty()) steps.push_back(std::move(compute));
    for (Step& step : after_.take(compute_set_.name + "/Post")) steps.push_back(std::move(step));
    return steps;
  }

 private:
  /// Binds the family as a whole where no vertex needs a buffer, and otherwise vertex by vertex.
  void bindApart(const VertexFamily& family, std::vector<BoundFamily>& bound) {
    if (std::optional<BoundFamily> whole = bindWithoutBuffers(family)) {
      bound.push_back(*std::move(whole));
      return;
    }
    VertexFamily vertex = family;
    vertex.count = 1;
    for (std::uint32_t v = 0; v < family.count; ++v) {
      bound.push_back(bind(vertex));
      for (Connection& data : vertex.fields) {
        for (Section& section : data.view) section.walk.begin += VariableElements(data.step);
      }
    }
  }

  /// None where a field needs a buffer.
  std::optional<BoundFamily> bindWithoutBuffers(const VertexFamily& family) {
    BoundFields::List bound;
    const std::vector<Field>& fields = family.type->fields;
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const Connection& data = family.fields[f];
      std::optional<BoundField> direct = bindDirectly(placement_, family.tile, fields[f],
                                                      repeated(data.view, family.count, data.step));
      if (!direct) return std::nullopt;
      bound.push_back(*std::move(direct));
    }
    return placed(family, bound);
  }

  BoundFamily bind(const VertexFamily& family) {
    BoundFields::List bound;
    const std::vector<Field>& fields = family.type->fields;
    for (std::size_t f = 0; f < fields.size(); ++f) {
      bound.push_back(bindField(family, fields[f], family.fields[f]));
    }
    return placed(family, bound);
  }

  /// The family with its fields, whose blocks hear where their data has to lie.
  BoundFamily placed(const VertexFamily& family, const BoundFields::List& bound) {
    for (std::size_t f = 0; f < bound.size(); ++f) place(family.type->fields, f, bound);
    return {family.type, family.tile, family.count, family.round_robin, BoundFields(bound)};
  }

  BoundField bindField(const VertexFamily& family, const Field& field, const Connection& data) {
    if (data.view.empty()) return {};  // a field of rows without a row has no pointers
    const View many = family.count == 1 ? View() : repeated(data.view, family.count, data.step);
    const View& all = family.count == 1 ? data.view : many;
    if (elementsOf(all) == 0) return bindNothing(family, field);
    if (auto direct = bindDirectly(placement_, family.tile, field, all)) return *std::move(direct);
    const bool shared = data.step == 0 && field.direction == FieldDirection::Input;
    const View& wanted = shared ? data.view : all;
    const BlockId buffer = field.direction == FieldDirection::Output
                               ? placement_.addBuffer(family.tile, bytesOf(wanted))
                               : bufferFor(wanted, family);
    if (field.direction != FieldDirection::Input) takeAway(wanted, buffer);
    return bindBuffer(buffer, family.count, field,
                      shared ? BufferUse::Shared : BufferUse::EachVertex);
  }

  /// A field without elements points at an empty buffer.
  BoundField bindNothing(const VertexFamily& family, const Field& field) {
    return bindBuffer(placement_.addBuffer(family.tile, Bytes(0)), family.count, field,
                      BufferUse::Shared);
  }

  [[nodiscard]] Bytes bytesOf(const View& view) const {
    return elementsOf(view) * placement_.elementBytes(view.front().variable);
  }

  /// Tells the blocks of a field where the field's data has to lie.
  void place(const std::vector<Field>& fields, std::size_t f, const BoundFields::List& bound) {
    if (bound[f].patterns.empty()) return;
    for (const EdgePattern& pattern : bound[f].patterns) {
      Block& block = placement_.block(pattern.block);
      if (fields[f].memory == FieldMemory::Interleaved) block.memory = FieldMemory::Interleaved;
      if (fields[f].apart_from < 0) continue;
      const auto other = static_cast<std::size_t>(fields[f].apart_from);
      if (!bound[other].patterns.empty()) {
        block.apart_from = bound[other].patterns.front().block;
      }
    }
  }

  BlockId bufferFor(const View& view, const VertexFamily& family) {
    const TileId tile = family.tile;
    const std::uint32_t d = demandFor(view);
    if (!family.type->cost) demands_[d].is_users = true;
    const auto next = static_cast<std::uint32_t>(buffers_.size());
    std::size_t hash = d;
    boost::hash_combine(hash, tile.tile());
    const std::uint32_t found = buffer_index_.findOrAdd(hash, next, [&](std::uint32_t b) {
      return buffers_[b].demand == d && buffers_[b].tile == tile;
    });
    if (found == next) {
      Demand& demand = demands_[d];
      const BlockId block = placement_.addBuffer(tile, demand.bytes);
      demand.destinations.push_back({block, Bytes(0)});
      buffers_.push_back({d, tile, block});
    }
    return buffers_[found].block;
  }

  /// The number of the demand for `view`.
  std::uint32_t demandFor(const View& view) {
    const auto next = static_cast<std::uint32_t>(demands_.size());
    const std::uint32_t found = demand_index_.findOrAdd(
        hashOf(view), next, [&](std::uint32_t d) { return demands_[d].view == view; });
    if (found == next) demands_.push_back({view, bytesOf(view), {}, false});
    return found;
  }

  /// A demand of one tile takes what lies on that tile by copies, if all does or if a vertex of the
  /// user's wants it. All else needs messages.
  void bring(const Demand& demand) {
    const Destination& destination = demand.destinations.front();
    const TileId tile = placement_.block(destination.block).tile;
    std::vector<ViewPart> parts = placement_.partsOf(demand.view);
    const auto stays = [tile](const ViewPart& part) { return part.tile == tile; };
    const bool all_stay = std::all_of(parts.begin(), parts.end(), stays);
    if (demand.destinations.size() == 1 && (all_stay || demand.is_users)) {
      copy(parts, destination.block, tile);
      parts.erase(std::remove_if(parts.begin(), parts.end(), stays), parts.end());
    }
    if (!parts.empty()) before_.addMulticast(parts, demand.destinations);
  }

  /// Adds the copies of the parts that lie on `tile`, with few descriptors.
  void copy(const std::vector<ViewPart>& parts, BlockId buffer, TileId tile) {
    std::vector<BlockMove> moves;
    for (const ViewPart& part : parts) {
      if (part.tile != tile) continue;
      const Bytes element = placement_.elementBytes(part.variable);
      moves.push_back({placement_.share(part.variable, part.tile), buffer, element,
                       inBytes(part.walk, element)});
    }
    mergeRows(moves);
    mergeRows(moves);
    for (const BlockMove& move : moves) before_.add(move);
  }

  void takeAway(const View& view, BlockId buffer) {
    for (const ViewPart& part : placement_.partsOf(view)) {
      const Bytes element = placement_.elementBytes(part.variable);
      after_.add({buffer, placement_.share(part.variable, part.tile), element,
                  inBytes(swapped(part.walk), element)});
    }
  }

  const ComputeSet& compute_set_;
  Placement& placement_;
  Transfer before_;
  Transfer after_;
  std::vector<Demand> demands_;
  HashIndex demand_index_;
  std::vector<DemandBuffer> buffers_;
  HashIndex buffer_index_;
};

}  // namespace

std::vector<Step> lowerComputeSet(const ComputeSet& compute_set, Placement& placement) {
  return ComputeLowering(compute_set, placement).run();
}

}  // namespace ipusim::compiler
