// SPDX-License-Identifier: Apache-2.0
#include "poplar/tile_compiler/registers/allocate.h"

#include <algorithm>
#include <limits>
#include <map>

#include "ipusim/error.h"
#include "poplar/tile_compiler/machine_facts.h"
#include "poplar/tile_compiler/registers/live_interval_union.h"
#include "poplar/tile_compiler/registers/liveness.h"

namespace ipusim::tile_compiler {
namespace {

constexpr double kNeverSpilled = std::numeric_limits<double>::infinity();
constexpr double kTurnsOfALoop = 8;      // as LLVM guesses, a loop runs about eight times
constexpr double kConstantWeight = 0.5;  // as in LLVM: made again for one instruction
constexpr PhysicalId kPhysicals = 32;

/// What the assignment knows of a virtual register.
struct Candidate {
  RegisterId id = 0;
  bool is_used = false;
  bool in_several_blocks = false;
  std::uint64_t begin = 0;
  std::uint64_t size = 0;
  double weight = 0;
  std::map<PhysicalId, double> hints;  // moves saved by each place
  std::vector<RegisterId> partners;    // in copies
  std::set<PhysicalId> forbidden;
  std::size_t rank = 0;  // among the parameters
};

class Assigner {
 public:
  explicit Assigner(const MachineFunction& function)
      : function_(function),
        intervals_(intervalsOf(function)),
        candidates_(function.registers.size()),
        clobbered_(kPhysicals),
        unions_(kPhysicals) {
    attempt_.places.resize(function.registers.size(), 0);
    std::uint64_t position = 0;
    for (const MachineBlock& block : function.blocks) {
      double turns = 1;
      for (unsigned depth = 0; depth < block.loop_depth; ++depth) turns *= kTurnsOfALoop;
      const std::uint64_t begin = position;
      for (const Instruction& instruction : block.instructions) {
        note(instruction, position++, turns);
      }
      blocks_.push_back({2 * begin, 2 * position});
    }
    for (Word word = 0; word < intervals_.words.size(); ++word) noteBlocks(word);
    measure();
  }

  Attempt run() {
    std::vector<RegisterId> queue = order();
    while (!queue.empty()) {
      const RegisterId id = queue.back();
      queue.pop_back();
      if (assign(id)) continue;
      const std::vector<RegisterId> evicted = makeRoom(id);
      const std::vector<RegisterId> moved = evicted.empty() ? makeRoomForPair(id) : evicted;
      if (moved.empty()) {
        attempt_.spilled.insert(id);
        continue;
      }
      for (const RegisterId other : moved) {
        release(other);
        if (evicted.empty()) {
          queue.push_back(other);
        } else {
          attempt_.spilled.insert(other);
        }
      }
      check(assign(id), "an evicted register leaves no room");
    }
    return std::move(attempt_);
  }

 private:
  void note(const Instruction& instruction, std::uint64_t position, double turns) {
    for (const RegisterPart& part : instruction.reads) noteUse(instruction, part, turns);
    for (const RegisterPart& part : instruction.writes) noteUse(instruction, part, turns);
    for (const FixedRegisterPart& fixed : instruction.fixed_reads)
      noteHint(instruction, fixed, turns);
    for (const FixedRegisterPart& fixed : instruction.fixed_writes)
      noteHint(instruction, fixed, turns);
    noteForbidden(instruction);
    if (instruction.copy) noteCopy(instruction.writes[0].id, instruction.reads[0].id);
    if (instruction.kind != Instruction::Kind::Call) return;
    for (PhysicalId place = 0; place < kPhysicals; ++place) {
      if (isCallerSaved(place)) clobbered_[place].push_back({2 * position, 2 * position + 1});
    }
  }

  void noteCopy(RegisterId write, RegisterId read) {
    candidates_[write].partners.push_back(read);
    if (write != read) candidates_[read].partners.push_back(write);
  }

  void noteUse(const Instruction& instruction, const RegisterPart& part, double turns) {
    if (part.id == kZero) return;
    Candidate& candidate = candidates_[part.id];
    candidate.is_used = true;
    candidate.weight += instruction.constant ? kConstantWeight * turns : turns;
    if (instruction.kind == Instruction::Kind::Control && instruction.tied) {
      candidate.weight = kNeverSpilled;  // no instruction may stand behind a branch
    }
  }

  void noteHint(const Instruction& instruction, const FixedRegisterPart& fixed, double turns) {
    noteUse(instruction, fixed.part, turns);
    if (fixed.part.id == kZero) return;
    const unsigned word = fixed.part.word == RegisterPart::kWhole ? 0 : fixed.part.word;
    if (fixed.place % kFirstAux < word) return;
    candidates_[fixed.part.id].hints[static_cast<PhysicalId>(fixed.place - word)] += turns;
  }

  /// Parameters leave their places one after the other, and arguments enter theirs so: a parameter
  /// cannot go where a later one still is, and an argument cannot wait where an earlier one goes.
  void noteForbidden(const Instruction& instruction) {
    const auto& leaving = instruction.fixed_writes;
    for (std::size_t n = 0; n < leaving.size(); ++n) {
      candidates_[leaving[n].part.id].rank = n;
      for (std::size_t later = n + 1; later < leaving.size(); ++later) {
        forbid(leaving[n].part.id, leaving[later]);
      }
    }
    const auto& entering = instruction.fixed_reads;
    for (std::size_t n = 0; n < entering.size(); ++n) {
      for (std::size_t earlier = 0; earlier < n; ++earlier) {
        forbid(entering[n].part.id, entering[earlier]);
      }
    }
  }

  void forbid(RegisterId id, const FixedRegisterPart& fixed) {
    if (id == kZero) return;
    const bool is_pair = fixed.part.id != kZero && fixed.part.word == RegisterPart::kWhole &&
                         function_.registers[fixed.part.id].words == 2;
    candidates_[id].forbidden.insert(fixed.place);
    if (is_pair) candidates_[id].forbidden.insert(static_cast<PhysicalId>(fixed.place + 1));
  }

  /// Marks the register of a word that does not live and die in one block.
  void noteBlocks(Word word) {
    const auto& segments = intervals_.words[word];
    if (segments.empty()) return;
    const Segment life{segments.front().begin, segments.back().end};
    const auto first = std::upper_bound(
        blocks_.begin(), blocks_.end(), life.begin,
        [](std::uint64_t begin, const Segment& block) { return begin < block.end; });
    if (first == blocks_.end() || first->begin >= life.end) return;
    const bool inside = life.begin > first->begin && life.end < first->end;
    if (!inside) candidates_[word / 2].in_several_blocks = true;
  }

  void measure() {
    for (RegisterId id = 1; id < candidates_.size(); ++id) {
      Candidate& candidate = candidates_[id];
      candidate.id = id;
      candidate.begin = std::numeric_limits<std::uint64_t>::max();
      for (unsigned word = 0; word < function_.registers[id].words; ++word) {
        for (const Segment& segment : intervals_.words[wordOf(id, word)]) {
          candidate.begin = std::min(candidate.begin, segment.begin);
          candidate.size += segment.end - segment.begin;
        }
      }
      if (function_.registers[id].spilling == Spilling::Never) candidate.weight = kNeverSpilled;
      candidate.weight /= static_cast<double>(std::max<std::uint64_t>(candidate.size, 1));
    }
  }

  /// The registers to assign, the first last.
  [[nodiscard]] std::vector<RegisterId> order() const {
    std::vector<RegisterId> ids;
    for (const Candidate& candidate : candidates_) {
      if (candidate.is_used) ids.push_back(candidate.id);
    }
    std::sort(ids.begin(), ids.end(), [&](RegisterId left, RegisterId right) {
      const Candidate& a = candidates_[left];
      const Candidate& b = candidates_[right];
      if (a.in_several_blocks != b.in_several_blocks) return b.in_several_blocks;
      if (a.in_several_blocks && a.size != b.size) return a.size < b.size;
      if (a.begin != b.begin) return a.begin > b.begin;
      if (a.rank != b.rank) return a.rank > b.rank;
      return left > right;
    });
    return ids;
  }

  [[nodiscard]] unsigned wordsOfRegister(RegisterId id) const {
    return function_.registers[id].words;
  }

  /// The places that a register may have, those that save moves first.
  [[nodiscard]] std::vector<PhysicalId> placesFor(RegisterId id) const {
    const bool is_aux = function_.registers[id].lane == Lane::Aux;
    const unsigned words = wordsOfRegister(id);
    const unsigned general = is_aux ? kAuxGeneral : kMainGeneral - (function_.calls ? 0 : 1);
    std::vector<PhysicalId> places;
    for (unsigned n = 0; n + words <= general; n += words) {
      places.push_back(static_cast<PhysicalId>(is_aux ? kFirstAux + n : n));
    }
    const std::map<PhysicalId, double> hints = hintsOf(id);
    std::stable_sort(places.begin(), places.end(), [&](PhysicalId a, PhysicalId b) {
      const auto saved = [&](PhysicalId place) {
        const auto found = hints.find(place);
        return found == hints.end() ? 0.0 : found->second;
      };
      return saved(a) > saved(b);
    });
    return places;
  }

  /// The hints of a register, and the places of its partners in copies.
  [[nodiscard]] std::map<PhysicalId, double> hintsOf(RegisterId id) const {
    std::map<PhysicalId, double> hints = candidates_[id].hints;
    for (const RegisterId other : candidates_[id].partners) {
      if (other != kZero && assigned_.count(other) != 0) hints[attempt_.places[other]] += 1;
    }
    return hints;
  }

  [[nodiscard]] bool isFree(RegisterId id, PhysicalId place) const {
    for (unsigned word = 0; word < wordsOfRegister(id); ++word) {
      const auto& segments = intervals_.words[wordOf(id, word)];
      if (unions_[place + word].anyOf(segments, [](Word) { return true; })) return false;
    }
    return !isBarred(id, place);
  }

  /// True when a call, or the moves of parameters and arguments, need the place.
  [[nodiscard]] bool isBarred(RegisterId id, PhysicalId place) const {
    for (unsigned word = 0; word < wordsOfRegister(id); ++word) {
      if (candidates_[id].forbidden.count(static_cast<PhysicalId>(place + word)) != 0) return true;
      if (overlap(intervals_.words[wordOf(id, word)], clobbered_[place + word])) return true;
    }
    return false;
  }

  /// The registers that hold the place while `id` lives.
  [[nodiscard]] std::set<RegisterId> rivals(RegisterId id, PhysicalId place) const {
    std::set<RegisterId> found;
    for (unsigned word = 0; word < wordsOfRegister(id); ++word) {
      static_cast<void>(
          unions_[place + word].anyOf(intervals_.words[wordOf(id, word)], [&](Word other) {
            found.insert(other / 2);
            return false;
          }));
    }
    return found;
  }

  bool assign(RegisterId id) {
    for (const PhysicalId place : placesFor(id)) {
      if (!isFree(id, place)) continue;
      attempt_.places[id] = place;
      assigned_.insert(id);
      for (unsigned word = 0; word < wordsOfRegister(id); ++word) {
        unions_[place + word].add(wordOf(id, word), intervals_.words[wordOf(id, word)]);
      }
      return true;
    }
    return false;
  }

  void release(RegisterId id) {
    assigned_.erase(id);
    for (unsigned word = 0; word < wordsOfRegister(id); ++word) {
      unions_[attempt_.places[id] + word].remove(wordOf(id, word),
                                                 intervals_.words[wordOf(id, word)]);
    }
  }

  /// The cheapest registers that together make room, when they are cheaper than `id` itself.
  [[nodiscard]] std::vector<RegisterId> makeRoom(RegisterId id) const {
    std::vector<RegisterId> best;
    double best_weight = candidates_[id].weight;
    for (const PhysicalId place : placesFor(id)) {
      if (isBarred(id, place)) continue;
      double weight = 0;
      const std::set<RegisterId> found = rivals(id, place);
      for (const RegisterId rival : found) weight = std::max(weight, candidates_[rival].weight);
      if (weight >= best_weight) continue;
      best_weight = weight;
      best.assign(found.begin(), found.end());
    }
    return best;
  }

  /// Single registers that stand apart where a pair is needed which cannot be spilled: the fewest,
  /// to be placed again behind it. None of them a second time, so that this ends.
  std::vector<RegisterId> makeRoomForPair(RegisterId id) {
    if (candidates_[id].weight != kNeverSpilled || wordsOfRegister(id) == 1) return {};
    std::vector<RegisterId> best;
    for (const PhysicalId place : placesFor(id)) {
      const std::set<RegisterId> found = rivals(id, place);
      const bool may_move = std::all_of(found.begin(), found.end(), [&](RegisterId other) {
        return wordsOfRegister(other) == 1 && moved_.count(other) == 0;
      });
      if (!may_move || isBarred(id, place)) continue;
      if (best.empty() || found.size() < best.size()) best.assign(found.begin(), found.end());
    }
    moved_.insert(best.begin(), best.end());
    return best;
  }

  const MachineFunction& function_;
  Intervals intervals_;
  std::vector<Candidate> candidates_;
  std::vector<std::vector<Segment>> clobbered_;  // by calls, by place
  std::vector<LiveIntervalUnion> unions_;        // by place
  std::vector<Segment> blocks_;                  // their positions
  std::set<RegisterId> assigned_;
  std::set<RegisterId> moved_;  // for a pair, once
  Attempt attempt_;
};

}  // namespace

bool isCallerSaved(PhysicalId place) {
  return place < kFirstAux ? place < kFirstMainSaved : place < kFirstAux + kFirstAuxSaved;
}

Attempt tryAssign(const MachineFunction& function) {
  return Assigner(function).run();
}

void allocateRegisters(MachineFunction& function) {
  constexpr int kRounds = 50;
  constexpr int kFruitlessRounds = 6;
  const auto is_spilled_already = [&](RegisterId id) {
    return function.registers[id].spilling == Spilling::Never;
  };
  int fruitless = 0;
  for (int round = 0; round < kRounds; ++round) {
    const Attempt attempt = tryAssign(function);
    // What was spilled already comes back as two of its kind: the code doubles.
    const auto& spilled = attempt.spilled;
    if (std::any_of(spilled.begin(), spilled.end(), is_spilled_already)) ++fruitless;
    if (fruitless > kFruitlessRounds) break;
    if (attempt.spilled.empty()) {
      placeRegisters(function, attempt.places);
      return;
    }
    spill(function, attempt.spilled);
  }
  throw InternalError("no registers for the instructions of a function");
}

}  // namespace ipusim::tile_compiler
