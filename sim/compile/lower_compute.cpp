// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/lower_compute.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <unordered_map>

#include "ipusim/error.h"
#include "sim/compile/bind.h"
#include "sim/compile/transfer.h"

namespace ipusim::compiler {

namespace {

struct ViewHash {
  std::size_t operator()(const View& view) const {
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
};

/// Data that one or more tiles want in a buffer of their own.
struct Demand {
  std::vector<ViewPart> parts;
  Bytes bytes;
  Landings landings;  ///< one a tile
  std::unordered_map<TileId, BlockId> buffer_on;
};

class ComputeLowering {
 public:
  ComputeLowering(const ComputeSet& compute_set, Placement& placement)
      : compute_set_(compute_set), placement_(placement), before_(placement), after_(placement) {}

  std::vector<Step> run() {
    Step compute{compute_set_.name, StepKind::Compute, {}, {}, {}};
    for (const VertexFamily& family : compute_set_.families) {
      compute.families.push_back(bind(family));
    }
    for (Demand& demand : demands_) bring(demand);
    std::vector<Step> steps = before_.take(compute_set_.name + "/Pre");
    if (!compute.families.empty()) steps.push_back(std::move(compute));
    for (Step& step : after_.take(compute_set_.name + "/Post")) steps.push_back(std::move(step));
    return steps;
  }

 private:
  BoundFamily bind(const VertexFamily& family) {
    BoundFamily bound{family.type, family.tile, family.count, {}};
    const std::vector<Field>& fields = family.type->fields;
    for (std::size_t f = 0; f < fields.size(); ++f) {
      bound.fields.push_back(bindField(family, fields[f], family.fields[f]));
    }
    for (std::size_t f = 0; f < fields.size(); ++f) place(fields, f, bound);
    return bound;
  }

  BoundField bindField(const VertexFamily& family, const Field& field, const Connection& data) {
    const View all = repeated(data.view, family.count, data.step);
    if (auto direct = bindDirectly(placement_, family.tile, field, all)) return *std::move(direct);
    const bool shared = data.step == 0 && field.direction == FieldDirection::Input;
    const View& wanted = shared ? data.view : all;
    const BlockId buffer = field.direction == FieldDirection::Output
                               ? placement_.addBuffer(family.tile, bytesOf(wanted))
                               : bufferFor(wanted, family.tile);
    if (field.direction != FieldDirection::Input) takeAway(wanted, buffer);
    return bindBuffer(buffer, family.count, field,
                      shared ? BufferUse::Shared : BufferUse::EachVertex);
  }

  [[nodiscard]] Bytes bytesOf(const View& view) const {
    return elementsOf(view) * placement_.elementBytes(view.front().variable);
  }

  /// Where a field's data has to lie, told to its blocks.
  void place(const std::vector<Field>& fields, std::size_t f, const BoundFamily& bound) {
    if (bound.fields[f].patterns.empty()) return;
    for (const EdgePattern& pattern : bound.fields[f].patterns) {
      Block& block = placement_.block(pattern.block);
      if (fields[f].memory == FieldMemory::Interleaved) block.memory = FieldMemory::Interleaved;
      if (fields[f].apart_from < 0) continue;
      const auto other = static_cast<std::size_t>(fields[f].apart_from);
      if (!bound.fields[other].patterns.empty()) {
        block.apart_from = bound.fields[other].patterns.front().block;
      }
    }
  }

  BlockId bufferFor(const View& view, TileId tile) {
    const auto [entry, is_new] = demand_of_.try_emplace(view, demands_.size());
    if (is_new) {
      demands_.push_back({placement_.partsOf(view), bytesOf(view), {}, {}});
    }
    Demand& demand = demands_[entry->second];
    const auto [buffer, first] = demand.buffer_on.try_emplace(tile, kNoBlock);
    if (first) {
      buffer->second = placement_.addBuffer(tile, demand.bytes);
      demand.landings.push_back({buffer->second, Bytes(0)});
    }
    return buffer->second;
  }

  /// A demand of one tile for what that tile holds itself needs copies, any other messages.
  void bring(Demand& demand) {
    const TileId tile = placement_.block(demand.landings.front().block).tile;
    const bool stays = demand.landings.size() == 1 &&
                       std::all_of(demand.parts.begin(), demand.parts.end(),
                                   [tile](const ViewPart& part) { return part.tile == tile; });
    if (!stays) {
      before_.addMulticast(demand.parts, std::move(demand.landings));
      return;
    }
    for (const ViewPart& part : demand.parts) {
      const Bytes element = placement_.elementBytes(part.variable);
      before_.add({placement_.share(part.variable, tile), demand.landings.front().block, element,
                   inBytes(part.walk, element)});
    }
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
  std::unordered_map<View, std::size_t, ViewHash> demand_of_;
};

}  // namespace

std::vector<Step> lowerComputeSet(const ComputeSet& compute_set, Placement& placement) {
  return ComputeLowering(compute_set, placement).run();
}

}  // namespace ipusim::compiler
