// SPDX-License-Identifier: Apache-2.0
#include "sim/compile/schedule/edge_colouring.h"

#include <algorithm>

#include "sim/compile/schedule/bits.h"

namespace ipusim::compiler {

namespace {

/// Most entries of the table: somewhat more than an all-to-all of all tiles needs.
constexpr std::size_t kLargestTable = std::size_t{1} << 23U;

constexpr std::uint32_t kNone = ~std::uint32_t{0};

/// Numbers nodes in the order in which they come.
class Numbering {
 public:
  std::uint32_t of(std::uint32_t node) {
    if (node >= number_.size()) number_.resize(node + 1, kNone);
    if (number_[node] == kNone) number_[node] = count_++;
    return number_[node];
  }
  [[nodiscard]] std::uint32_t count() const { return count_; }

 private:
  std::vector<std::uint32_t> number_;
  std::uint32_t count_ = 0;
};

class Colouring {
 public:
  explicit Colouring(const std::vector<Edge>& edges) {
    Numbering left;
    Numbering right;
    ends_.reserve(edges.size());
    for (const Edge& edge : edges) ends_.push_back({left.of(edge.left), right.of(edge.right)});
    for (Edge& edge : ends_) edge.right += left.count();
    nodes_ = left.count() + right.count();
    countColours();
  }

  std::vector<std::uint32_t> run() {
    if (std::size_t{nodes_} * colours_ > kLargestTable) return {};
    edge_at_.assign(std::size_t{nodes_} * colours_, kNone);
    free_.assign(std::size_t{nodes_} * words_, ~std::uint64_t{0});
    const unsigned last = colours_ % kWordBits;
    if (last != 0) {
      for (std::size_t n = 1; n <= nodes_; ++n) {
        free_[n * words_ - 1] = (std::uint64_t{1} << last) - 1;
      }
    }
    colour_of_.resize(ends_.size());
    for (std::uint32_t e = 0; e < ends_.size(); ++e) colour(e);
    return std::move(colour_of_);
  }

 private:
  void countColours() {
    std::vector<std::uint32_t> degree(nodes_);
    for (const Edge& edge : ends_) {
      ++degree[edge.left];
      ++degree[edge.right];
    }
    for (const std::uint32_t d : degree) colours_ = std::max(colours_, d);
    words_ = (colours_ + kWordBits - 1) / kWordBits;
  }

  void colour(std::uint32_t edge) {
    const Edge ends = ends_[edge];
    const std::uint64_t* left = &free_[std::size_t{ends.left} * words_];
    const std::uint64_t* right = &free_[std::size_t{ends.right} * words_];
    for (std::uint32_t w = 0; w < words_; ++w) {
      const std::uint64_t both = left[w] & right[w];
      if (both == 0) continue;
      set(edge, w * kWordBits + lowestBit(both));
      return;
    }
    const std::uint32_t wanted = lowestFree(left);
    swapColours(ends.right, wanted, lowestFree(right));
    set(edge, wanted);
  }

  static std::uint32_t lowestFree(const std::uint64_t* words) {
    std::uint32_t w = 0;
    while (words[w] == 0) ++w;
    return w * kWordBits + lowestBit(words[w]);
  }

  /// Swaps the two colours along the path that begins at `node`. Afterwards `first` is free at
  /// `node`.
  void swapColours(std::uint32_t node, std::uint32_t first, std::uint32_t second) {
    path_.clear();
    std::uint32_t colour = first;
    for (std::uint32_t edge = at(node, colour); edge != kNone; edge = at(node, colour)) {
      path_.push_back(edge);
      node = ends_[edge].left == node ? ends_[edge].right : ends_[edge].left;
      colour = first + second - colour;
    }
    for (const std::uint32_t edge : path_) clear(edge);
    for (const std::uint32_t edge : path_) set(edge, first + second - colour_of_[edge]);
  }

  std::uint32_t& at(std::uint32_t node, std::uint32_t colour) {
    return edge_at_[std::size_t{node} * colours_ + colour];
  }
  void flip(std::uint32_t node, std::uint32_t colour) {
    free_[std::size_t{node} * words_ + colour / kWordBits] ^= std::uint64_t{1}
                                                              << (colour % kWordBits);
  }
  void set(std::uint32_t edge, std::uint32_t colour) {
    colour_of_[edge] = colour;
    for (const std::uint32_t node : {ends_[edge].left, ends_[edge].right}) {
      at(node, colour) = edge;
      flip(node, colour);
    }
  }
  void clear(std::uint32_t edge) {
    for (const std::uint32_t node : {ends_[edge].left, ends_[edge].right}) {
      at(node, colour_of_[edge]) = kNone;
      flip(node, colour_of_[edge]);
    }
  }

  std::vector<Edge> ends_;  // both sides in one numbering
  std::uint32_t nodes_ = 0;
  std::uint32_t colours_ = 0;
  std::uint32_t words_ = 0;
  std::vector<std::uint32_t> edge_at_;  // indexed by node and colour
  std::vector<std::uint64_t> free_;     // per node, one bit per free colour
  std::vector<std::uint32_t> colour_of_;
  std::vector<std::uint32_t> path_;
};

}  // namespace

std::vector<std::uint32_t> colourEdges(const std::vector<Edge>& edges) {
  return Colouring(edges).run();
}

}  // namespace ipusim::compiler
