// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/collective/fragments.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "ipusim/error.h"

namespace ipusim::workloads {

namespace {

/// The bytes of a word. The exchange moves whole words, so no piece ends inside one.
constexpr Bytes kGrain(4);

std::uint64_t grainOf(ElementType type) {
  return std::max<std::uint64_t>(1, kGrain.value() / sizeOf(type).value());
}

const Variable& wholeVariable(const Graph& graph, const Tensor& tensor, const std::string& name) {
  const Variable& variable = graph.variable(variableOf(tensor));
  const View view = tensor.view();
  const bool is_whole = view.size() == 1 && view.front().begin() == 0 &&
                        view.front().end() == variable.elements &&
                        tensor.elements() == variable.elements;
  if (is_whole) return variable;
  throw GraphError(
      fmt::format("{}: wanted whole variables, found a part of {}", name, variable.name));
}

void expectAlike(const Variable& first, const Variable& other, const std::string& name) {
  const auto same = [](const MappedInterval& a, const MappedInterval& b) {
    return a.begin == b.begin && a.end == b.end;
  };
  const auto& wanted = first.mapping.intervals();
  const auto& found = other.mapping.intervals();
  if (first.type == other.type &&
      std::equal(wanted.begin(), wanted.end(), found.begin(), found.end(), same)) {
    return;
  }
  throw GraphError(fmt::format("{}: wanted members that lie alike, found {} beside {}", name,
                               other.name, first.name));
}

}  // namespace

VariableId variableOf(const Tensor& tensor) {
  return tensor.pieces().front().variable;
}

Fragments::Fragments(const Graph& graph, const Group& group, std::uint32_t count,
                     const std::string& name)
    : type_(group.front().type()), pieces_(count) {
  const Variable& first = wholeVariable(graph, group.front(), name);
  Tiles all;
  for (const Tensor& member : group) {
    const Variable& variable = wholeVariable(graph, member, name);
    expectAlike(first, variable, name);
    std::vector<TileId>& tiles = all.emplace_back();
    for (const MappedInterval& interval : variable.mapping.intervals()) {
      tiles.push_back(interval.tile);
    }
  }
  tiles_ = std::make_shared<const Tiles>(std::move(all));
  std::uint32_t number = 0;
  for (const MappedInterval& interval : first.mapping.intervals()) {
    cut(number++, interval.begin, interval.end - interval.begin);
  }
}

Fragments::Fragments(const Fragments& whole, const std::vector<FragmentPiece>& pieces,
                     std::uint32_t count)
    : type_(whole.type_), pieces_(count), tiles_(whole.tiles_) {
  for (const FragmentPiece& piece : pieces) cut(piece.interval, piece.begin, piece.elements);
}

std::vector<FragmentPiece> Fragments::piecesAt(std::uint32_t place, std::uint32_t ring) const {
  std::vector<FragmentPiece> all;
  for (std::size_t f = place; f < pieces_.size(); f += ring) {
    all.insert(all.end(), pieces_[f].begin(), pieces_[f].end());
  }
  std::sort(all.begin(), all.end(),
            [](const FragmentPiece& a, const FragmentPiece& b) { return a.begin < b.begin; });
  return all;
}

/// Cuts the elements of an interval into one piece per fragment. Where the pieces cannot be equal,
/// the fragments that get more change from interval to interval.
void Fragments::cut(std::uint32_t interval, std::uint64_t begin, std::uint64_t elements) {
  const std::uint64_t count = pieces_.size();
  const std::uint64_t grain = grainOf(type_);
  const std::uint64_t grains = ceilDiv(elements, grain);
  const std::uint64_t shift = grains % count == 0 ? 0 : interval;
  std::uint64_t room = 0;
  for (std::uint64_t p = 0; p < count; ++p) {
    const std::uint64_t first = grains * p / count * grain;
    const std::uint64_t last = std::min(grains * (p + 1) / count * grain, elements);
    if (first == last) continue;
    pieces_[(p + shift) % count].push_back(
        {begin + first, last - first, buffer_elements_, interval});
    room = std::max(room, last - first);
  }
  room_.push_back({interval, room});
  buffer_elements_ += room;
}

Tensor Fragments::addBuffer(Graph& graph, std::uint32_t member, const std::string& name) const {
  Tensor buffer = graph.addVariable(type_, {buffer_elements_}, name);
  std::uint64_t begin = 0;
  for (const auto& [interval, elements] : room_) {
    if (elements == 0) continue;
    graph.setTileMapping(contiguous(variableOf(buffer), begin, elements),
                         (*tiles_)[member][interval]);
    begin += elements;
  }
  return buffer;
}

}  // namespace ipusim::workloads
