// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/saved/saved_checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "ipusim/error.h"
#include "models/ipu/machine/machine_fields.h"
#include "poplar/runtime/graph/element_bytes.h"

namespace poplar::detail {

using ipusim::Bytes;
using ipusim::ConfigError;
using ipusim::indexOf;
using ipusim::VariableElements;

namespace {

/// A device that stands for the host's own processor has as much.
constexpr unsigned kMostTileBytes = 1U << 30U;
/// More than programs have; views are walked dimension by dimension.
constexpr std::size_t kMostDimensions = 64;

bool isText(const char* text, std::size_t room) {
  return std::memchr(text, '\0', room) != nullptr;
}

bool isTile(ipusim::TileId tile, std::uint32_t tiles) {
  return tile.ipu() == 0 && tile.tile() < tiles;
}

}  // namespace

void expect(bool holds, const char* wanted) {
  if (!holds) throw ConfigError(fmt::format("a file without {}", wanted));
}

void checkTarget(const TargetData& target) {
  const auto is_within = [](unsigned number, std::uint64_t most) {
    return number > 0 && number <= most;
  };
  expect(is_within(target.tiles_per_ipu, ipusim::kMaxTiles) &&
             is_within(target.ipus, ipusim::kMaxTiles) &&
             std::uint64_t{target.ipus} * target.tiles_per_ipu <= ipusim::kMaxTiles,
         "a number of tiles that can be simulated");
  expect(is_within(target.bytes_per_tile, kMostTileBytes), "the memory of a tile");
  expect(is_within(target.workers, ipusim::kMaxWorkers),
         "a number of workers that a tile may have");
  expect(std::isfinite(target.clock_hz) && target.clock_hz > 0, "a clock");
  expect(isText(target.preset, sizeof target.preset) &&
             isText(target.architecture, sizeof target.architecture),
         "the end of a name");
}

void checkIntervals(const ipusim::Variable& variable,
                    const std::vector<ipusim::MappedInterval>& intervals, std::uint32_t tiles) {
  constexpr std::uint64_t kMostElements = std::uint64_t{1} << 40U;
  expect(variable.elements <= kMostElements, "a variable that a system has room for");
  std::uint64_t end = 0;
  for (const ipusim::MappedInterval& interval : intervals) {
    const bool is_inside =
        interval.begin >= end && interval.begin < interval.end && interval.end <= variable.elements;
    expect(is_inside && isTile(interval.tile, tiles), "tiles for elements of a variable");
    end = interval.end;
  }
}

const ipusim::Variable& SavedVariables::variable(ipusim::VariableId id) const {
  expect(indexOf(id) < state_.variables.variables().size(), "a variable that it names");
  return state_.variables.variable(id);
}

/// A tensor that a device cannot hold has no use, and room for it is not asked for. A variable that
/// nothing uses may be larger.
void SavedVariables::checkBytes(std::uint64_t elements, Bytes element) const {
  const Bytes room = Bytes(state_.target.bytes_per_tile) * state_.tiles();
  if (element * elements <= room) return;
  const auto& variables = state_.variables.variables();
  const bool is_known = std::any_of(variables.begin(), variables.end(), [&](const auto& each) {
    return ipusim::sizeOf(each.type) * each.elements >= element * elements;
  });
  expect(is_known, "room for a tensor");
}

void SavedVariables::check(ipusim::ElementType type, const ipusim::Shape& shape,
                           const std::vector<ipusim::Tensor::Piece>& pieces) const {
  expect(shape.size() <= kMostDimensions, "few dimensions");
  const std::uint64_t elements = ipusim::elementsOf(shape);
  expect(pieces.empty() == (elements == 0), "pieces of a tensor");
  checkBytes(elements, ipusim::sizeOf(type));
  for (const ipusim::Tensor::Piece& piece : pieces) {
    const std::size_t rank = shape.size();
    expect(piece.begin.size() == rank && piece.extent.size() == rank && piece.stride.size() == rank,
           "the dimensions of a piece");
    ipusim::Section section{piece.variable, {}};
    section.walk.begin = piece.offset;
    for (std::size_t d = 0; d < rank; ++d) {
      const bool is_inside = piece.extent[d] > 0 && piece.extent[d] <= shape[d] &&
                             piece.begin[d] <= shape[d] - piece.extent[d];
      expect(is_inside, "pieces inside their tensor");
      section.walk.levels.push_back({piece.extent[d], VariableElements(piece.stride[d])});
    }
    expect(variable(piece.variable).type == type, "variables of the type of a tensor");
    checkSection(section, ipusim::sizeOf(type), 0, 1);
  }
}

void SavedVariables::check(const TensorData& tensor) {
  const ipusim::Tensor& view = tensor.view;
  const bool is_whole = tensor.type != TypeId::None && tensor.unit > 0 && !view.shape().empty() &&
                        view.shape().back() == tensor.unit &&
                        ipusim::sizeOf(view.type()) * tensor.unit == Bytes(bytesOf(tensor.type));
  expect(is_whole, "whole elements of a tensor");
}

void SavedVariables::checkSection(const ipusim::Section& section, Bytes element, std::uint64_t step,
                                  std::uint64_t count) const {
  const ipusim::Variable& of = variable(section.variable);
  expect(section.walk.levels.size() <= kMostDimensions, "few dimensions");
  std::uint64_t elements = 1;
  for (const auto& level : section.walk.levels) {
    elements = ipusim::checkedProduct(elements, level.count);
  }
  checkBytes(elements, element);
  if (elements == 0 || count == 0) return;
  const VariableElements end = section.walk.begin + section.walk.span(VariableElements(1)) +
                               VariableElements(step) * (count - 1);
  expect(end.value() <= of.elements, "elements inside their variable");
  expect(ipusim::sizeOf(of.type) == element, "elements of the size of their variable's");
}

void SavedVariables::check(const ipusim::VertexFamily& family) const {
  expect(family.type != nullptr, "the type of a vertex");
  expect(isTile(family.tile, state_.tiles()), "the tile of a vertex");
  // A vertex takes memory of its tile.
  expect(family.count <= state_.target.bytes_per_tile, "room for its vertices");
  const auto& fields = family.type->fields;
  expect(family.fields.size() == fields.size(), "each field of a vertex");
  for (std::size_t f = 0; f < fields.size(); ++f) {
    std::uint64_t elements = 0;
    for (const ipusim::Section& section : family.fields[f].view) {
      checkSection(section, ipusim::sizeOf(fields[f].type), family.fields[f].step, family.count);
      elements += section.elements();
    }
    expect(elements == fields[f].elements(), "the elements of a field");
  }
}

void SavedVariables::check(const ipusim::Move& move) const {
  const ipusim::Variable& to = variable(move.to);
  const Bytes element = ipusim::sizeOf(to.type);
  std::uint64_t elements = 1;
  ipusim::Section source{move.from, {}};
  ipusim::Section target{move.to, {}};
  source.walk.begin = move.walk.begin.from;
  target.walk.begin = move.walk.begin.to;
  for (const auto& level : move.walk.levels) {
    elements = ipusim::checkedProduct(elements, level.count);
    source.walk.levels.push_back({level.count, level.stride.from});
    target.walk.levels.push_back({level.count, level.stride.to});
  }
  expect(elements > 0 && elements <= to.elements, "room for what is copied");
  checkSection(source, element, 0, 1);
  checkSection(target, element, 0, 1);
}

}  // namespace poplar::detail
