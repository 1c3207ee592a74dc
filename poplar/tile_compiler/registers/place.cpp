// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "poplar/tile_compiler/machine_facts.h"
#include "poplar/tile_compiler/registers/allocate.h"
#include "poplar/tile_compiler/registers/liveness.h"

namespace ipusim::tile_compiler {
namespace {

/// A move between real registers, of one word or of a pair. No source: a constant of one
/// instruction.
struct Move {
  PhysicalId to = 0;
  std::optional<PhysicalId> from;
  unsigned words = 1;
  RegisterId value = kZero;
};

class Placer {
 public:
  Placer(MachineFunction& function, const Assignment& places)
      : function_(function), places_(places) {}

  void run() {
    for (MachineBlock& block : function_.blocks) {
      held_.clear();
      out_.clear();
      for (Instruction& instruction : block.instructions) place(std::move(instruction));
      block.instructions = std::move(out_);
    }
  }

 private:
  void place(Instruction instruction) {
    std::vector<Move> before;
    for (const FixedRegisterPart& fixed : instruction.fixed_reads) addMove(before, fixed);
    for (const Move& move : before) emitMove(move, instruction.line);
    addPlacesOf(instruction);
    if (instruction.kind == Instruction::Kind::Call) forgetCallerSaved();
    forget(instruction);
    const std::vector<FixedRegisterPart> results = instruction.fixed_writes;
    const std::uint32_t line = instruction.line;
    const bool is_idle =
        instruction.copy && instruction.physical_reads == instruction.physical_writes;
    if (instruction.kind != Instruction::Kind::Entry && !is_idle) {
      out_.push_back(std::move(instruction));
    }
    moveResults(results, line);
  }

  void addPlacesOf(Instruction& instruction) const {
    for (const RegisterPart& part : instruction.reads) addPlaces(instruction.physical_reads, part);
    for (const RegisterPart& part : instruction.writes)
      addPlaces(instruction.physical_writes, part);
    // A call counts its arguments as read; a return does not count its result.
    if (instruction.kind == Instruction::Kind::Call) {
      for (const FixedRegisterPart& fixed : instruction.fixed_reads) {
        addFixed(instruction.physical_reads, fixed);
      }
    }
    for (const FixedRegisterPart& fixed : instruction.fixed_writes) {
      addFixed(instruction.physical_writes, fixed);
    }
  }

  void moveResults(const std::vector<FixedRegisterPart>& results, std::uint32_t line) {
    std::vector<Move> moves;
    for (const FixedRegisterPart& fixed : results) {
      const unsigned words = function_.registers[fixed.part.id].words;
      held_[fixed.place] = fixed.part.id;
      if (places_[fixed.part.id] != fixed.place) {
        moves.push_back({places_[fixed.part.id], fixed.place, words, fixed.part.id});
      }
    }
    for (const Move& move : moves) emitMove(move, line);
  }

  void addMove(std::vector<Move>& moves, const FixedRegisterPart& fixed) const {
    const RegisterPart& part = fixed.part;
    if (part.id == kZero) {
      moves.push_back({fixed.place, std::nullopt, 1, kZero});
      return;
    }
    const unsigned words = wordsOf(function_, part).size() == 2 ? 2 : 1;
    const auto from = static_cast<PhysicalId>(places_[part.id] +
                                              (part.word == RegisterPart::kWhole ? 0 : part.word));
    const auto held = held_.find(fixed.place);
    const bool is_there =
        held != held_.end() && held->second == part.id && part.word == RegisterPart::kWhole;
    if (from == fixed.place || is_there) return;
    moves.push_back(
        {fixed.place, from, words, part.word == RegisterPart::kWhole ? part.id : kZero});
  }

  void emitMove(const Move& move, std::uint32_t line) {
    // A pair of the main file is moved word by word.
    const bool is_main = move.to < kFirstAux;
    const unsigned pieces = is_main ? move.words : 1;
    const unsigned width = move.words / pieces;
    for (unsigned piece = 0; piece < pieces; ++piece) {
      Instruction mov;
      mov.name = "mov";
      mov.line = line;
      mov.lane = is_main ? Lane::Main : Lane::Aux;
      for (unsigned word = 0; word < width; ++word) {
        const auto at = static_cast<PhysicalId>(piece + word);
        mov.physical_writes.push_back(static_cast<PhysicalId>(move.to + at));
        if (move.from) mov.physical_reads.push_back(static_cast<PhysicalId>(*move.from + at));
      }
      forget(mov);
      out_.push_back(std::move(mov));
    }
    held_[move.to] = move.value;
  }

  void addPlaces(std::vector<PhysicalId>& to, const RegisterPart& part) const {
    for (const Word word : wordsOf(function_, part)) {
      to.push_back(static_cast<PhysicalId>(places_[part.id] + word % 2));
    }
  }

  void addFixed(std::vector<PhysicalId>& to, const FixedRegisterPart& fixed) const {
    const std::size_t words = std::max<std::size_t>(1, wordsOf(function_, fixed.part).size());
    for (std::size_t word = 0; word < words; ++word) {
      to.push_back(static_cast<PhysicalId>(fixed.place + word));
    }
  }

  void forget(const Instruction& instruction) {
    for (const PhysicalId place : instruction.physical_writes) held_.erase(place);
    for (const RegisterPart& part : instruction.writes) forgetValue(part.id);
    for (const FixedRegisterPart& fixed : instruction.fixed_writes) forgetValue(fixed.part.id);
  }

  void forgetValue(RegisterId id) {
    for (auto held = held_.begin(); held != held_.end();) {
      held = held->second == id ? held_.erase(held) : std::next(held);
    }
  }

  void forgetCallerSaved() {
    for (auto held = held_.begin(); held != held_.end();) {
      held = isCallerSaved(held->first) ? held_.erase(held) : std::next(held);
    }
  }

  MachineFunction& function_;
  const Assignment& places_;
  std::map<PhysicalId, RegisterId> held_;  // what arguments and moves left in a register
  std::vector<Instruction> out_;
};

}  // namespace

void placeRegisters(MachineFunction& function, const Assignment& places) {
  Placer(function, places).run();
}

}  // namespace ipusim::tile_compiler
