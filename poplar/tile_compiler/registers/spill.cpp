// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <utility>

#include "poplar/tile_compiler/registers/allocate.h"
#include "poplar/tile_compiler/registers/liveness.h"

namespace ipusim::tile_compiler {
namespace {

class Spiller {
 public:
  Spiller(MachineFunction& function, const std::set<RegisterId>& registers)
      : function_(function), registers_(registers) {
    for (const MachineBlock& block : function.blocks) {
      for (const Instruction& instruction : block.instructions) noteConstant(instruction);
    }
    for (const RegisterId id : registers) {
      if (isConstant(id)) continue;
      slots_[id] = static_cast<std::int64_t>(function.stack_bytes);
      function.stack_bytes += 4ULL * function.registers[id].words;
    }
  }

  void run() {
    for (std::size_t block = 0; block < function_.blocks.size(); ++block) keepInLoop(block);
    for (MachineBlock& block : function_.blocks) {
      std::vector<Instruction> old = std::move(block.instructions);
      block.instructions.clear();
      for (Instruction& instruction : old) rewrite(block, std::move(instruction));
    }
  }

 private:
  /// Reads what a loop of one block only reads once before the loop, into a register for that loop.
  /// Source: the splitting of live ranges around loops in LLVM's greedy allocator.
  void keepInLoop(std::size_t loop) {
    const std::optional<std::size_t> before = blockBefore(loop);
    if (!before) return;
    MachineBlock& block = function_.blocks[loop];
    auto& to = function_.blocks[*before].instructions;
    std::map<RegisterId, RegisterId> kept;
    for (const RegisterId id : onlyRead(block)) {
      if (isConstant(id) || function_.registers[id].spilling == Spilling::InLoop) continue;
      kept[id] = static_cast<RegisterId>(function_.registers.size());
      VirtualRegister copy = function_.registers[id];
      copy.spilling = Spilling::InLoop;
      function_.registers.push_back(copy);
      to.insert(placeAtEnd(to),
                access({id, RegisterPart::kWhole}, MemoryAccess::Kind::Load,
                       {kept[id], RegisterPart::kWhole}, block.instructions.front().line));
    }
    if (kept.empty()) return;
    for (Instruction& instruction : block.instructions) {
      for (RegisterPart& part : instruction.reads) {
        const auto found = kept.find(part.id);
        if (found != kept.end()) part.id = found->second;
      }
    }
  }

  /// The one block that leads into a loop of one block, and nowhere else.
  [[nodiscard]] std::optional<std::size_t> blockBefore(std::size_t loop) const {
    std::optional<std::size_t> before;
    bool turns = false;
    for (std::size_t from = 0; from < function_.blocks.size(); ++from) {
      const auto& to = function_.blocks[from].successors;
      if (std::find(to.begin(), to.end(), loop) == to.end()) continue;
      if (from == loop) {
        turns = true;
      } else if (before || to.size() != 1) {
        return std::nullopt;
      } else {
        before = from;
      }
    }
    return turns ? before : std::nullopt;
  }

  /// The registers to spill that the block reads, and nothing else: no write, no fixed place.
  [[nodiscard]] std::set<RegisterId> onlyRead(const MachineBlock& block) const {
    std::set<RegisterId> read;
    for (const Instruction& instruction : block.instructions) {
      for (const RegisterPart& part : instruction.reads) {
        if (registers_.count(part.id) != 0) read.insert(part.id);
      }
    }
    for (const Instruction& instruction : block.instructions) {
      for (const RegisterPart& part : instruction.writes) read.erase(part.id);
      for (const FixedRegisterPart& fixed : instruction.fixed_writes) read.erase(fixed.part.id);
      for (const FixedRegisterPart& fixed : instruction.fixed_reads) read.erase(fixed.part.id);
    }
    return read;
  }

  static std::vector<Instruction>::const_iterator placeAtEnd(
      const std::vector<Instruction>& instructions) {
    auto place = instructions.end();
    while (place != instructions.begin() && std::prev(place)->kind != Instruction::Kind::Plain &&
           std::prev(place)->kind != Instruction::Kind::Entry &&
           std::prev(place)->kind != Instruction::Kind::Call) {
      --place;
    }
    return place;
  }

  void noteConstant(const Instruction& instruction) {
    for (const RegisterPart& part : instruction.writes) {
      if (registers_.count(part.id) == 0) continue;
      ++writes_[part.id];
      if (instruction.constant) constants_[part.id] = instruction;
    }
    for (const FixedRegisterPart& fixed : instruction.fixed_writes) ++writes_[fixed.part.id];
  }

  [[nodiscard]] bool isConstant(RegisterId id) const {
    return constants_.count(id) != 0 && writes_.at(id) == 1;
  }

  void rewrite(MachineBlock& block, Instruction instruction) {
    if (instruction.constant && registers_.count(instruction.writes[0].id) != 0 &&
        isConstant(instruction.writes[0].id)) {
      return;  // made again at each use
    }
    renamed_.clear();
    std::vector<Instruction> after;
    for (RegisterPart& part : instruction.reads) reload(block, part, instruction.line);
    for (FixedRegisterPart& fixed : instruction.fixed_reads)
      reload(block, fixed.part, instruction.line);
    for (RegisterPart& part : instruction.writes) store(after, part, instruction.line);
    for (FixedRegisterPart& fixed : instruction.fixed_writes)
      store(after, fixed.part, instruction.line);
    block.instructions.push_back(std::move(instruction));
    for (Instruction& extra : after) block.instructions.push_back(std::move(extra));
  }

  void reload(MachineBlock& block, RegisterPart& part, std::uint32_t line) {
    if (registers_.count(part.id) == 0) return;
    const RegisterPart old = part;
    const auto known = renamed_.find({old.id, old.word});
    if (known != renamed_.end()) {
      part = known->second;
      return;
    }
    part = temporary(old);
    if (isConstant(old.id)) {
      Instruction again = constants_.at(old.id);
      again.writes = {part};
      block.instructions.push_back(std::move(again));
    } else {
      block.instructions.push_back(access(old, MemoryAccess::Kind::Load, part, line));
    }
  }

  void store(std::vector<Instruction>& after, RegisterPart& part, std::uint32_t line) {
    if (registers_.count(part.id) == 0) return;
    const RegisterPart old = part;
    const auto known = renamed_.find({old.id, old.word});
    part = known == renamed_.end() ? temporary(old) : known->second;
    after.push_back(access(old, MemoryAccess::Kind::Store, part, line));
  }

  RegisterPart temporary(const RegisterPart& old) {
    const unsigned words = old.word == RegisterPart::kWhole ? function_.registers[old.id].words : 1;
    function_.registers.push_back({function_.registers[old.id].lane, words, Spilling::Never});
    const RegisterPart fresh{static_cast<RegisterId>(function_.registers.size() - 1),
                             RegisterPart::kWhole};
    renamed_[{old.id, old.word}] = fresh;
    return fresh;
  }

  [[nodiscard]] Instruction access(const RegisterPart& old, MemoryAccess::Kind kind,
                                   const RegisterPart& part, std::uint32_t line) const {
    Instruction instruction;
    instruction.line = line;
    instruction.name = kind == MemoryAccess::Kind::Load ? "ld" : "st";
    (kind == MemoryAccess::Kind::Load ? instruction.writes : instruction.reads) = {part};
    MemoryAccess memory;
    memory.base = MemoryAccess::kStack;
    memory.offset = slots_.at(old.id) + (old.word == 1 ? 4 : 0);
    memory.bytes = 4 * function_.registers[part.id].words;
    memory.kind = kind;
    instruction.memory = memory;
    return instruction;
  }

  MachineFunction& function_;
  const std::set<RegisterId>& registers_;
  std::map<RegisterId, unsigned> writes_;
  std::map<RegisterId, Instruction> constants_;
  std::map<RegisterId, std::int64_t> slots_;
  std::map<std::pair<RegisterId, std::uint8_t>, RegisterPart>
      renamed_;  // of the instruction in hand
};

}  // namespace

void spill(MachineFunction& function, const std::set<RegisterId>& registers) {
  Spiller(function, registers).run();
}

}  // namespace ipusim::tile_compiler
