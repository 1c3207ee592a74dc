// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "poplar/tile_compiler/select/selection.h"

// What each operation becomes. Private to the selection.
//
// Source of the rules: the expected assembly in llvm/test/CodeGen/Colossus of public forks of LLVM
// 15 for the tile, and their backend (machine_facts.h). "assumed" marks a rule that no test shows.

namespace ipusim::tile_compiler {

void selectInteger(Selection& to, const Operation& operation);
void selectIntegerCompare(Selection& to, const Operation& operation);
void selectFloatBits(Selection& to, const Operation& operation);
void selectFloat(Selection& to, const Operation& operation);
void selectFloatCompare(Selection& to, const Operation& operation);
void selectSelect(Selection& to, const Operation& operation);
void selectConversion(Selection& to, const Operation& operation);
void selectVector(Selection& to, const Operation& operation);
void selectMemory(Selection& to, const Operation& operation);
void selectControl(Selection& to, const Operation& operation);
void selectLoop(Selection& to, const Operation& operation);

/// How an integer comparison is decided: `tested` is compared with zero by a branch or a
/// conditional move; the compare itself is not needed when `operand` is given.
struct Decision {
  bool inverted = false;
  std::optional<Operand> operand;
};
/// How a condition of a branch or a select is decided. Comparisons with zero need no compare.
Decision decide(const Selection& to, const Operand& condition);
/// The register that a decision tests.
RegisterPart testedBy(Selection& to, const Operand& condition);

/// An integer, extended to 32 bits where it is smaller and not known to be so.
RegisterPart useExtended(Selection& to, const Operand& operand, Type type, Extension extension);
/// A float of the aux file in its 32 bits: halves are converted first.
RegisterPart useAsFloat(Selection& to, const Operand& operand, Type type);
/// An operand whose bits an aux instruction reads, wherever they are.
RegisterPart useBitsOnAux(Selection& to, const Operand& operand, Type type);
/// True when both halves of the register are known to hold the half.
bool isBroadcast(const Selection& to, const Operand& operand);

/// The operand of `x < 0` or `x >= 0`, which a branch decides alone.
std::optional<Operand> signTestOf(const Selection& to, const Operand& condition);

/// An argument of a call, in one register or pair.
using Argument = std::pair<RegisterPart, Type>;
/// The registers of a call's result.
struct Result {
  std::vector<RegisterPart> parts;
  Type type = Type::Void;
};
/// A call: the moves of its arguments, its own slot, its result.
void emitCall(Selection& to, std::string_view routine, const std::vector<Argument>& arguments,
              const std::optional<Result>& result);

/// True when one instruction makes the constant. Source: [B], [T] constants.ll.
bool takesOneInstruction(std::uint32_t bits, Lane lane);

/// True when the operation only prepares an operation on the aux lane that has it inside.
bool isBitwiseLogic(const Operation& operation);

}  // namespace ipusim::tile_compiler
