// SPDX-License-Identifier: Apache-2.0
#include "workloads/ops/collective/lowering.h"

#include <fmt/format.h>

#include <utility>

#include "workloads/vertices/elementwise/elementwise.h"
#include "workloads/vertices/reductions/reductions.h"

namespace ipusim::workloads {

using models::Collective;
using models::CollectiveKind;
using models::CollectiveMethod;
using models::CollectivePass;
using models::CollectivePlan;
using models::FragmentMove;
using models::LevelRing;

namespace {

constexpr VariableId kNoBuffer = static_cast<VariableId>(~std::uint32_t{0});

/// Moves that make one walk: pieces of equal lengths at equal distances.
class MoveJoiner {
 public:
  MoveJoiner(VariableId from, VariableId to, std::vector<MoveRun>& moves)
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
    appendMove(moves_, std::move(move));
    count_ = 0;
  }

  VariableId from_;
  VariableId to_;
  std::vector<MoveRun>& moves_;
  std::uint64_t begin_from_ = 0;
  std::uint64_t begin_to_ = 0;
  std::uint64_t step_from_ = 0;
  std::uint64_t step_to_ = 0;
  std::uint64_t elements_ = 0;
  std::uint64_t count_ = 0;
};

}  // namespace

LevelFragments::LevelFragments(const Graph& graph, const Group& group, const CollectivePlan& plan,
                               CollectiveKind kind, const std::string& name) {
  const CollectiveKind first = passesOf(plan, kind).front().kind;
  const auto count_of = [&](std::size_t level) {
    return models::fragmentsOf(collectiveOf(plan, {level, first}, Bytes(0)));
  };
  levels_.push_back({Fragments(graph, group, count_of(0), name)});
  if (plan.size() == 1) return;
  const Fragments& whole = levels_.front().front();
  std::vector<Fragments> parts;
  for (std::uint32_t place = 0; place < plan.front().ringSize(); ++place) {
    parts.emplace_back(whole, whole.piecesAt(place, plan.front().ringSize()), count_of(1));
  }
  levels_.push_back(std::move(parts));
}

CollectiveLowering::CollectiveLowering(Graph& graph, const Group& group, const CollectivePlan& plan,
                                       std::string name)
    : graph_(graph), group_(group), plan_(plan), name_(std::move(name)), buffers_(plan.size()) {}

Program CollectiveLowering::run(CollectiveKind kind) {
  fragments_ = std::make_unique<LevelFragments>(graph_, group_, plan_, kind, name_);
  Program program;
  for (const CollectivePass& pass : passesOf(plan_, kind)) {
    level_ = pass.level;
    const Collective collective = collectiveOf(plan_, pass, Bytes(0));
    for (const Moves& moves : collectiveMoves(collective)) {
      if (pass.kind == CollectiveKind::AllGather) {
        gatherOnce(moves, program);
      } else {
        reduceOnce(collective, moves, program);
      }
    }
  }
  return program;
}

std::string CollectiveLowering::nameOfTurn(const std::string& step, std::size_t turn) const {
  return plan_[level_].turns.size() == 1 ? step : fmt::format("{}/Turn{}", step, turn);
}

template <typename Visit>
void CollectiveLowering::forEachRing(const Visit& visit) const {
  for (const std::vector<LevelRing>& turn : plan_[level_].turns) {
    for (const LevelRing& ring : turn) visit(ring);
  }
}

void CollectiveLowering::gatherOnce(const Moves& moves, Program& program) {
  const std::string name = fmt::format("{}/Gather{}", name_, gathers_++);
  for (std::size_t t = 0; t < plan_[level_].turns.size(); ++t) {
    std::vector<MoveRun> copies;
    for (const LevelRing& ring : plan_[level_].turns[t]) {
      for (const FragmentMove& move : moves) {
        addGathered(ring, move, copies);
      }
    }
    program.add(graph_.copy(std::move(copies), nameOfTurn(name, t)));
  }
}

/// A member of a ring receives one fragment from each neighbour of each order. Two of them may be
/// the same fragment, so they land in different buffers. In a broadcast a member has a buffer for
/// each member, itself included, so that all members sum in one order.
CollectiveLowering::Slots CollectiveLowering::slotsOf(const Collective& collective,
                                                      const Moves& moves) {
  Slots slots;
  const auto slot = [&slots](std::size_t number) -> Moves& {
    if (slots.size() <= number) slots.resize(number + 1);
    return slots[number];
  };
  std::vector<std::size_t> received(collective.replicas, 0);
  const bool has_all = collective.method == CollectiveMethod::Broadcast;
  for (const FragmentMove& move : moves) {
    slot(has_all ? move.from : received[move.to]++).push_back(move);
  }
  if (!has_all) return slots;
  const bool is_whole = collective.kind == CollectiveKind::AllReduce;
  for (std::uint32_t m = 0; m < collective.replicas; ++m) {
    slot(m).push_back({m, m, is_whole ? 0 : m});
  }
  return slots;
}

void CollectiveLowering::reduceOnce(const Collective& collective, const Moves& moves,
                                    Program& program) {
  const std::string name = fmt::format("{}/Reduce{}", name_, reductions_++);
  const Slots slots = slotsOf(collective, moves);
  for (std::size_t t = 0; t < plan_[level_].turns.size(); ++t) {
    std::vector<MoveRun> copies;
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
      for (const LevelRing& ring : plan_[level_].turns[t]) {
        for (const FragmentMove& move : slots[slot]) {
          addLanding(ring, move, bufferOf(slot, ring, move.to), copies);
        }
      }
    }
    program.add(graph_.copy(std::move(copies), nameOfTurn(name, t)));
  }
  if (collective.method == CollectiveMethod::Broadcast) return sumUp(slots, name + "/Add", program);
  addUp(slots, name + "/Add", program);
}

void CollectiveLowering::addGathered(const LevelRing& ring, const FragmentMove& move,
                                     std::vector<MoveRun>& copies) const {
  MoveJoiner joiner(variableOf(group_[ring.members[move.from]]),
                    variableOf(group_[ring.members[move.to]]), copies);
  for (const FragmentPiece& piece : fragmentsOf(ring).piecesOf(move.fragment)) {
    joiner.add(piece.begin, piece.begin, piece.elements);
  }
}

void CollectiveLowering::addLanding(const LevelRing& ring, const FragmentMove& move,
                                    VariableId buffer, std::vector<MoveRun>& copies) const {
  MoveJoiner joiner(variableOf(group_[ring.members[move.from]]), buffer, copies);
  for (const FragmentPiece& piece : fragmentsOf(ring).piecesOf(move.fragment)) {
    joiner.add(piece.begin, piece.landing, piece.elements);
  }
}

/// The fragments that a quad ring brings to a member differ, so one compute set adds all of them.
void CollectiveLowering::addUp(const Slots& slots, const std::string& name, Program& program) {
  const bool is_one_set = plan_[level_].method == CollectiveMethod::QuadRing;
  ComputeSetId set{};
  for (std::size_t slot = 0; slot < slots.size(); ++slot) {
    if (slot == 0 || !is_one_set) {
      set = graph_.addComputeSet(name);
      program.add(execute(set));
    }
    forEachRing([&](const LevelRing& ring) {
      for (const FragmentMove& move : slots[slot]) {
        const VariableId sum = variableOf(group_[ring.members[move.to]]);
        const VariableId landed = bufferOf(slot, ring, move.to);
        for (const FragmentPiece& piece : fragmentsOf(ring).piecesOf(move.fragment)) {
          VertexFamily vertex{
              adder(piece.elements), fragmentsOf(ring).tileOf(ring.members[move.to], piece), 1, {}};
          vertex.fields.push_back({{contiguous(sum, piece.begin, piece.elements)}});
          vertex.fields.push_back({{contiguous(landed, piece.landing, piece.elements)}});
          graph_.addVertices(set, std::move(vertex));
        }
      }
    });
  }
}

void CollectiveLowering::sumUp(const Slots& slots, const std::string& name, Program& program) {
  const ComputeSetId set = graph_.addComputeSet(name);
  forEachRing([&](const LevelRing& ring) {
    // The last move of a slot is that of a member to itself, and so names what the member sums.
    for (std::uint32_t place = 0; place < slots.size(); ++place) {
      addSummers(ring, place, slots[place].back().fragment, set);
    }
  });
  program.add(execute(set));
}

void CollectiveLowering::addSummers(const LevelRing& ring, std::uint32_t place,
                                    std::uint32_t fragment, ComputeSetId set) {
  const std::uint32_t member = ring.members[place];
  for (const FragmentPiece& piece : fragmentsOf(ring).piecesOf(fragment)) {
    VertexFamily vertex{summer(piece.elements), fragmentsOf(ring).tileOf(member, piece), 1, {}};
    vertex.fields.push_back(
        {{contiguous(variableOf(group_[member]), piece.begin, piece.elements)}});
    View rows;
    for (std::size_t slot = 0; slot < ring.members.size(); ++slot) {
      rows.push_back(contiguous(bufferOf(slot, ring, place), piece.landing, piece.elements));
    }
    vertex.fields.push_back({std::move(rows)});
    graph_.addVertices(set, std::move(vertex));
  }
}

std::shared_ptr<const VertexType> CollectiveLowering::adder(std::uint64_t elements) {
  return adders_.get(elements, [&] {
    const models::BinaryOpKind kind{models::BinaryOp::Add, group_.front().type(),
                                    models::OpPlacement::InPlace};
    return binaryOpVertex({kind, Runs::one(elements)});
  });
}

std::shared_ptr<const VertexType> CollectiveLowering::summer(std::uint64_t elements) {
  const std::uint64_t members = plan_[level_].ringSize();
  return summers_.get({members, elements}, [&] {
    const ElementType type = group_.front().type();
    return reduceRowsVertex({{models::ReduceOp::Add, type, type}, members, elements, kNoStride});
  });
}

VariableId CollectiveLowering::bufferOf(std::size_t slot, const LevelRing& ring,
                                        std::uint32_t place) {
  auto& slots = buffers_[level_];
  if (slots.size() <= slot) slots.resize(slot + 1);
  if (slots[slot].empty()) slots[slot].assign(group_.size(), kNoBuffer);
  const std::uint32_t member = ring.members[place];
  VariableId& buffer = slots[slot][member];
  if (buffer == kNoBuffer) {
    buffer = variableOf(fragmentsOf(ring).addBuffer(graph_, member, name_ + "/Incoming"));
  }
  return buffer;
}

}  // namespace ipusim::workloads
