// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "ipusim/graph.h"

namespace ipusim::workloads {

/// The tensors of a group, one per member: whole variables of one type, which lie alike, each on
/// the tiles of its own member.
using Group = std::vector<Tensor>;

/// Consecutive elements of a fragment on one tile of each member.
struct FragmentPiece {
  std::uint64_t begin;  ///< in the variable of a member
  std::uint64_t elements;
  std::uint64_t landing;   ///< in a buffer with room for one fragment
  std::uint32_t interval;  ///< number of the mapped interval that holds it
};

/// The data of a group cut into fragments. Every tile has a piece of every fragment, so that all
/// tiles send and receive at once. A piece is a whole number of words, but for the last of a tile.
class Fragments {
 public:
  /// Throws GraphError where the tensors are parts of variables, or do not lie alike. `name` stands
  /// for the collective in messages.
  Fragments(const Graph& graph, const Group& group, std::uint32_t count, const std::string& name);

  /// The pieces of some fragments of `whole`, cut into `count` fragments of their own.
  Fragments(const Fragments& whole, const std::vector<FragmentPiece>& pieces, std::uint32_t count);

  [[nodiscard]] const std::vector<FragmentPiece>& piecesOf(std::uint32_t fragment) const {
    return pieces_[fragment];
  }
  /// The pieces of all fragments that belong to a place in a ring of so many, by their elements.
  [[nodiscard]] std::vector<FragmentPiece> piecesAt(std::uint32_t place, std::uint32_t ring) const;
  /// The tile of a member that holds a piece.
  [[nodiscard]] TileId tileOf(std::uint32_t member, const FragmentPiece& piece) const {
    return (*tiles_)[member][piece.interval];
  }
  /// Adds a buffer for one fragment on the tiles of a member.
  Tensor addBuffer(Graph& graph, std::uint32_t member, const std::string& name) const;

 private:
  /// By member and interval.
  using Tiles = std::vector<std::vector<TileId>>;
  /// The elements of a buffer on the tile of an interval.
  struct Room {
    std::uint32_t interval;
    std::uint64_t elements;
  };

  void cut(std::uint32_t interval, std::uint64_t begin, std::uint64_t elements);

  ElementType type_;
  std::vector<std::vector<FragmentPiece>> pieces_;  ///< one entry per fragment
  std::shared_ptr<const Tiles> tiles_;
  std::vector<Room> room_;
  std::uint64_t buffer_elements_ = 0;
};

/// The variable of a tensor.
VariableId variableOf(const Tensor& tensor);

}  // namespace ipusim::workloads
