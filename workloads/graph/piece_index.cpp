// SPDX-License-Identifier: Apache-2.0
#include "workloads/graph/piece_index.h"

#include <algorithm>
#include <array>
#include <boost/geometry.hpp>
#include <boost/geometry/geometries/box.hpp>
#include <boost/geometry/geometries/point.hpp>
#include <boost/geometry/index/rtree.hpp>
#include <boost/iterator/function_output_iterator.hpp>
#include <cstdint>
#include <set>
#include <utility>

namespace ipusim {

namespace {

using Piece = Tensor::Piece;
using Point = boost::geometry::model::point<std::int64_t, 2, boost::geometry::cs::cartesian>;
using Box = boost::geometry::model::box<Point>;
using Entry = std::pair<Box, std::size_t>;
constexpr std::size_t kNodeEntries = 16;
/// Found pieces are few where there are more than so many others for each.
constexpr std::size_t kFewOfAll = 8;
using Entries = boost::geometry::index::rtree<Entry, boost::geometry::index::rstar<kNodeEntries>>;

/// The two dimensions that cut the pieces most finely.
std::array<std::size_t, 2> finestDims(const std::vector<Piece>& pieces) {
  const std::size_t count = pieces.front().begin.size();
  std::vector<std::pair<std::size_t, std::size_t>> cuts;
  for (std::size_t d = 0; d < count; ++d) {
    std::set<std::uint64_t> begins;
    for (const Piece& piece : pieces) begins.insert(piece.begin[d]);
    cuts.emplace_back(begins.size(), d);
  }
  std::sort(cuts.rbegin(), cuts.rend());
  return {cuts.front().second, cuts.size() > 1 ? cuts[1].second : cuts.front().second};
}

Box boxOf(const Piece& piece, const std::array<std::size_t, 2>& dims) {
  const auto low = [&](std::size_t d) { return static_cast<std::int64_t>(piece.begin[d]); };
  const auto high = [&](std::size_t d) {
    return static_cast<std::int64_t>(piece.begin[d] + piece.extent[d]) - 1;
  };
  return {{low(dims[0]), low(dims[1])}, {high(dims[0]), high(dims[1])}};
}

std::vector<Entry> entriesOf(const std::vector<Piece>& pieces,
                             const std::array<std::size_t, 2>& dims) {
  std::vector<Entry> entries;
  entries.reserve(pieces.size());
  for (std::size_t i = 0; i < pieces.size(); ++i) entries.emplace_back(boxOf(pieces[i], dims), i);
  return entries;
}

}  // namespace

struct PieceIndex::Tree {
  explicit Tree(const std::vector<Piece>& pieces)
      : dims(finestDims(pieces)), entries(entriesOf(pieces, dims)) {}

  std::array<std::size_t, 2> dims;
  Entries entries;
};

PieceIndex::PieceIndex(const std::vector<Piece>& pieces)
    : tree_(std::make_unique<const Tree>(pieces)) {}

PieceIndex::~PieceIndex() = default;

std::vector<std::size_t> PieceIndex::near(const Piece& box) const {
  std::vector<std::size_t> numbers;
  const auto add = [&](const Entry& entry) { numbers.push_back(entry.second); };
  tree_->entries.query(boost::geometry::index::intersects(boxOf(box, tree_->dims)),
                       boost::make_function_output_iterator(add));
  if (numbers.size() * kFewOfAll < tree_->entries.size()) {
    std::sort(numbers.begin(), numbers.end());
    return numbers;
  }
  // Marking costs less than sorting.
  std::vector<bool> is_found(tree_->entries.size());
  for (const std::size_t number : numbers) is_found[number] = true;
  numbers.clear();
  for (std::size_t number = 0; number < is_found.size(); ++number) {
    if (is_found[number]) numbers.push_back(number);
  }
  return numbers;
}

}  // namespace ipusim
