// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "poplar/tile_compiler/function.h"
#include "poplar/tile_compiler/instruction.h"
#include "poplar/tile_compiler/uses.h"

namespace ipusim::tile_compiler {

/// Chooses the instructions of a function. Blocks and operations are visited backwards, so that an
/// operation whose users all took it into their own instructions gets none.
///
/// The rules are functions that take a Selection: select_*.cpp. A rule asks for its operands by
/// use(), and emits its instructions in the order of the code.
class Selection {
 public:
  explicit Selection(const Function& function);
  MachineFunction run();

  [[nodiscard]] const Function& function() const { return *function_; }
  [[nodiscard]] const Uses& uses() const { return uses_; }
  /// The operation that makes an operand, with all that costs nothing looked through; nothing for
  /// constants and parameters.
  [[nodiscard]] const Operation* definition(const Operand& operand) const;
  [[nodiscard]] Type typeOf(const Operand& operand, Type of_constant) const;

  /// The register of an operand of one register or one pair. `type` is that of a constant.
  RegisterPart use(const Operand& operand, Type type);
  /// The register of one word of an operand.
  RegisterPart useWord(const Operand& operand, Type type, unsigned word);
  /// The registers of the result.
  RegisterPart result(const Operation& operation);
  RegisterPart resultWord(const Operation& operation, unsigned word);
  RegisterPart temporary(Lane lane, unsigned words = 1);

  /// A constant of 32 bits in a register; zero costs nothing.
  RegisterPart constantWord(std::uint32_t bits, Lane lane);
  /// A constant in a register or a pair of the type.
  RegisterPart constant(std::uint64_t bits, Type type);

  Instruction& emit(Lane lane, std::string_view name, std::vector<RegisterPart> writes,
                    std::vector<RegisterPart> reads);
  /// `count` instructions, each of which needs the one before; the first needs `reads`.
  void emitChain(Lane lane, unsigned count, RegisterPart write,
                 const std::vector<RegisterPart>& reads);
  /// A copy that disappears where both sides can be one register.
  void emitCopy(RegisterPart write, RegisterPart read);
  /// `to` becomes `otherwise` in a block of its own, which the branch at `tested` passes over. What
  /// is emitted before stays in front of the branch.
  void emitDiamond(const Operation& select, RegisterPart tested, RegisterPart to,
                   RegisterPart otherwise, Role role);

  /// Makes the constants of the block that were asked for so far here, before what is emitted next:
  /// a call lets none through.
  void placeConstants();
  /// The instruction that was emitted last.
  Instruction& lastEmitted() { return pending_.back(); }
  /// Emits an instruction that is built already.
  void append(Instruction instruction);
  RegisterPart partOfValue(ValueId value);
  [[nodiscard]] bool isDemanded(ValueId value) const { return demanded_[value]; }

  /// An access of the function's own stack slots.
  static MemoryAccess slotAccess(MemoryAccess::Kind kind, std::int64_t offset, unsigned bytes);
  /// An object on the stack, which lives as long as the function runs.
  void addObject(std::uint64_t bytes);
  /// A slot of the stack for values that change their register file.
  void needStack(std::uint64_t bytes);
  MachineFunction& machine() { return machine_; }
  [[nodiscard]] const BasicBlock& block() const { return function_->blocks[block_]; }

 private:
  struct OpenConstant {
    std::uint64_t bits;
    Lane lane;
    unsigned words;
    RegisterId id;
  };
  void selectBlock(BlockId block);
  void select(const Operation& operation);
  void applyRule(const Operation& operation);
  [[nodiscard]] bool isNeeded(const Operation& operation) const;
  void flushPending();
  RegisterPart openConstant(const OpenConstant& wanted);
  void makeWord(std::uint32_t bits, Lane lane, RegisterPart to);
  void closeBlock(Role role, std::optional<ValueId> condition);
  struct PhiCopy {
    RegisterPart write;
    RegisterPart read;
  };
  std::vector<PhiCopy> phiCopies();
  void addPhiCopies(const Operation& phi, const Operand& from, std::vector<PhiCopy>& copies);
  void demandPhis(const BasicBlock& block);
  /// The registers that a value has got so far, by word.
  [[nodiscard]] std::vector<std::pair<unsigned, RegisterPart>> partsOf(ValueId value) const;
  void emitPhiCopies();
  void emitEntry();
  [[nodiscard]] BlockId homeOfConstants() const;
  RegisterId newRegister(Lane lane, unsigned words);
  RegisterId registerOf(ValueId value, unsigned word);

  const Function* function_;
  Uses uses_;
  MachineFunction machine_;
  std::map<std::pair<ValueId, unsigned>, RegisterId> registers_;
  std::vector<bool> demanded_;
  std::vector<std::vector<OpenConstant>> constants_;  // by the block that makes them
  BlockId block_ = 0;
  std::vector<Instruction> pending_;    // of the operation in hand, in order
  std::vector<Instruction> backwards_;  // of the block in hand, last first
  std::vector<MachineBlock> blocks_;    // last first
  std::uint32_t line_ = 0;
  std::uint64_t object_bytes_ = 0;
};

/// The instructions of a function, on virtual registers, in the order of the source.
MachineFunction selectInstructions(const Function& function);

}  // namespace ipusim::tile_compiler
