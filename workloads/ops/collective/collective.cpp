// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/collective/collective.h"

#include <fmt/format.h>

#include <array>
#include <set>
#include <utility>

#include "ipusim/error.h"
#include "workloads/vertices/elementwise.h"
#include "workloads/vertices/type_cache.h"

namespace ipusim::workloads {

using models::CollectiveKind;
using models::CollectiveMethod;
using models::FragmentMove;

namespace {

models::Collective collectiveOf(const Graph& graph, const Group& ring, CollectiveKind kind,
                                CollectiveMethod method) {
  const Variable& variable = graph.variable(variableOf(ring.front()));
  return {kind, method, static_cast<std::uint32_t>(ring.size()),
          variable.elements * sizeOf(variable.type)};
}

/// Which end of a move is the buffer of the receiver.
enum class Target : std::uint8_t { Member, Buffer };

/// Moves that make one walk: pieces of equal lengths at equal distances.
class MoveJoiner {
 public:
  MoveJoiner(VariableId from, VariableId to, std::vector<Move>& moves)
      : from_(from), to_(to), moves_(moves) {}
  ~MoveJoiner() { flush(); }
  MoveJoiner(const MoveJoiner&) = delete;
  MoveJoiner& operator=(const MoveJoiner&) = delete;

  void add(std::uint64_t from, std::uint64_t to, std::uint64_t elements) {
    const bool continues = count_ > 0 && elements == elements_ &&
                           (count_ == 1 || (from == begin_from_ + count_ * step_from_ &&
                                            to == begin_to_ + count_ * step_to_));
    if (!continues) {
      flush();
      begin_from_ = from;
      begin_to_ = to;
      elements_ = elements;
    } else if (count_ == 1) {
      step_from_ = from - begin_from_;
      step_to_ = to - begin_to_;
    }
    ++count_;
  }

 private:
  void flush() {
    if (count_ == 0) return;
    Move move{from_, to_, {}};
    move.walk.begin = {VariableElements(begin_from_), VariableElements(begin_to_)};
    move.walk.addInside({count_, {VariableElements(step_from_), VariableElements(step_to_)}});
    move.walk.addInside({elements_, {VariableElements(1), VariableElements(1)}});
    moves_.push_back(std::move(move));
    count_ = 0;
  }

  VariableId from_;
  VariableId to_;
  std::vector<Move>& moves_;
  std::uint64_t begin_from_ = 0;
  std::uint64_t begin_to_ = 0;
  std::uint64_t step_from_ = 0;
  std::uint64_t step_to_ = 0;
  std::uint64_t elements_ = 0;
  std::uint64_t count_ = 0;
};

class RingLowering {
 public:
  RingLowering(Graph& graph, const Group& ring, CollectiveMethod method, std::string name)
      : graph_(graph),
        ring_(ring),
        name_(std::move(name)),
        collective_(collectiveOf(graph, ring, CollectiveKind::AllReduce, method)),
        fragments_(graph, ring, models::fragmentsOf(collective_), name_) {}

  void reduceScatter(Program& program) {
    collective_.kind = CollectiveKind::ReduceScatter;
    int number = 0;
    for (const auto& moves : collectiveMoves(collective_)) {
      reduceOnce(moves, fmt::format("{}/Reduce{}", name_, number++), program);
    }
  }

  void allGather(Program& program) {
    collective_.kind = CollectiveKind::AllGather;
    int number = 0;
    for (const auto& moves : collectiveMoves(collective_)) {
      std::vector<Move> copies;
      for (const FragmentMove& move : moves) {
        addCopies(move, variableOf(ring_[move.to]), Target::Member, copies);
      }
      program.add(graph_.copy(std::move(copies), fmt::format("{}/Gather{}", name_, number++)));
    }
  }

 private:
  /// A member receives at most one fragment from each side in an exchange. The two may be the same
  /// fragment, which is then added to twice, one time after the other.
  static constexpr std::size_t kSides = 2;
  using Sides = std::array<std::vector<FragmentMove>, kSides>;

  void reduceOnce(const std::vector<FragmentMove>& moves, const std::string& name,
                  Program& program) {
    Sides sides;
    std::set<std::uint32_t> served;
    for (const FragmentMove& move : moves) {
      sides.at(served.insert(move.to).second ? 0 : 1).push_back(move);
    }
    std::vector<Move> copies;
    for (std::size_t side = 0; side < kSides; ++side) {
      for (const FragmentMove& move : sides.at(side)) {
        addCopies(move, bufferOf(side, move.to), Target::Buffer, copies);
      }
    }
    program.add(graph_.copy(std::move(copies), name));
    for (std::size_t side = 0; side < kSides; ++side) {
      if (!sides.at(side).empty()) addUp(sides.at(side), side, name + "/Add", program);
    }
  }

  void addCopies(const FragmentMove& move, VariableId to, Target target,
                 std::vector<Move>& copies) const {
    MoveJoiner joiner(variableOf(ring_[move.from]), to, copies);
    for (const FragmentPiece& piece : fragments_.piecesOf(move.fragment)) {
      joiner.add(piece.begin, target == Target::Buffer ? piece.landing : piece.begin,
                 piece.elements);
    }
  }

  /// Adds what landed in the buffers of a side to the members.
  void addUp(const std::vector<FragmentMove>& moves, std::size_t side, const std::string& name,
             Program& program) {
    const ComputeSetId set = graph_.addComputeSet(name);
    for (const FragmentMove& move : moves) {
      const VariableId sum = variableOf(ring_[move.to]);
      const VariableId landed = bufferOf(side, move.to);
      for (const FragmentPiece& piece : fragments_.piecesOf(move.fragment)) {
        VertexFamily vertex{adder(piece.elements), fragments_.tileOf(move.to, piece), 1, {}};
        vertex.fields.push_back({{contiguous(sum, piece.begin, piece.elements)}});
        vertex.fields.push_back({{contiguous(landed, piece.landing, piece.elements)}});
        graph_.addVertices(set, std::move(vertex));
      }
    }
    program.add(execute(set));
  }

  std::shared_ptr<const VertexType> adder(std::uint64_t elements) {
    return adders_.get(elements, [&] {
      const models::BinaryOpKind kind{models::BinaryOp::Add, ring_.front().type(),
                                      models::OpPlacement::InPlace};
      return binaryOpVertex({kind, Runs::one(elements)});
    });
  }

  VariableId bufferOf(std::size_t side, std::uint32_t member) {
    std::vector<Tensor>& buffers = buffers_.at(side);
    while (buffers.size() < ring_.size()) {
      buffers.push_back(fragments_.addBuffer(graph_, static_cast<std::uint32_t>(buffers.size()),
                                             name_ + "/Incoming"));
    }
    return variableOf(buffers[member]);
  }

  Graph& graph_;
  const Group& ring_;
  std::string name_;
  models::Collective collective_;
  Fragments fragments_;
  std::array<std::vector<Tensor>, kSides> buffers_;  ///< one entry per member, when first needed
  TypeCache<std::uint64_t> adders_;
};

void expectMembers(const Group& group, std::size_t members, const std::string& name) {
  if (group.size() == members) return;
  throw GraphError(fmt::format("{}: wanted {} members, found {}", name, members, group.size()));
}

}  // namespace

std::vector<ElementRange> ownRanges(const Graph& graph, const Group& ring, CollectiveMethod method,
                                    std::uint32_t place) {
  const models::Collective collective =
      collectiveOf(graph, ring, CollectiveKind::AllGather, method);
  const std::uint32_t count = models::fragmentsOf(collective);
  const Fragments fragments(graph, ring, count, "own part");
  std::vector<ElementRange> ranges;
  for (std::uint32_t f = place; f < count; f += collective.replicas) {
    for (const FragmentPiece& piece : fragments.piecesOf(f)) {
      const auto begin = static_cast<std::ptrdiff_t>(piece.begin);
      ranges.push_back({begin, begin + static_cast<std::ptrdiff_t>(piece.elements)});
    }
  }
  return ranges;
}

Tensor partOf(const Tensor& member, const std::vector<ElementRange>& ranges) {
  const Tensor flat = member.reshape({member.elements()});
  std::vector<Tensor> parts;
  parts.reserve(ranges.size());
  for (const auto& [begin, end] : ranges) {
    parts.push_back(
        flat.slice(static_cast<std::uint64_t>(begin), static_cast<std::uint64_t>(end), 0));
  }
  return concat(parts, 0);
}

Program reduceScatter(Graph& graph, const Group& ring, CollectiveMethod method,
                      const std::string& name) {
  Program program;
  RingLowering(graph, ring, method, name).reduceScatter(program);
  return program;
}

Program allGather(Graph& graph, const Group& ring, CollectiveMethod method,
                  const std::string& name) {
  Program program;
  RingLowering(graph, ring, method, name).allGather(program);
  return program;
}

Program allReduce(Graph& graph, const Group& ring, CollectiveMethod method,
                  const std::string& name) {
  Program program;
  RingLowering lowering(graph, ring, method, name);
  lowering.reduceScatter(program);
  lowering.allGather(program);
  return program;
}

Program broadcast(Graph& graph, const Tensor& from, const Group& to, const std::string& name) {
  std::vector<CopyPair> pairs;
  for (const Tensor& member : to) pairs.push_back({from, member});
  return graph.copy(pairs, name);
}

Program permute(Graph& graph, const Group& from, const Group& to,
                const std::vector<std::uint32_t>& targets, const std::string& name) {
  expectMembers(to, from.size(), name);
  std::vector<CopyPair> pairs;
  for (std::size_t m = 0; m < from.size(); ++m) pairs.push_back({from[m], to.at(targets.at(m))});
  return graph.copy(pairs, name);
}

Program allToAll(Graph& graph, const Group& from, const Group& to, const std::string& name) {
  const std::size_t members = from.size();
  expectMembers(to, members, name);
  const std::uint64_t each = from.front().elements() / members;
  if (each * members != from.front().elements()) {
    throw GraphError(fmt::format("{}: wanted a multiple of {} elements, found {}", name, members,
                                 from.front().elements()));
  }
  const auto slice = [each](const Tensor& tensor, std::size_t number) {
    return tensor.reshape({tensor.elements()}).slice(number * each, (number + 1) * each, 0);
  };
  Program program;
  for (std::size_t round = 0; round < members; ++round) {
    std::vector<CopyPair> pairs;
    for (std::size_t m = 0; m < members; ++m) {
      const std::size_t target = (m + round) % members;
      pairs.push_back({slice(from[m], target), slice(to[target], m)});
    }
    program.add(graph.copy(pairs, fmt::format("{}/Round{}", name, round)));
  }
  return program;
}

}  // namespace ipusim::workloads
