// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "poplar/tile_compiler/type.h"

// What a front end hands to the model of the tile's compiler: a function in static single
// assignment form, after all optimisation that knows no machine.

namespace ipusim::tile_compiler {

/// A value's place in Function::values.
using ValueId = std::uint32_t;
/// A block's place in Function::blocks.
using BlockId = std::uint32_t;

enum class Op : std::uint8_t {
  // Integers. MulHigh: the upper 32 bits; MulWide: two words of 32 bits to one of 64.
  Add,
  Sub,
  Mul,
  And,
  Or,
  Xor,
  Shl,
  LShr,
  AShr,
  UDiv,
  SDiv,
  URem,
  SRem,
  SMin,
  SMax,
  UMin,
  UMax,
  Abs,
  CountLeadingZeros,
  CountTrailingZeros,
  PopulationCount,
  ByteSwap,
  BitReverse,
  Rotate,
  MulHigh,
  MulWide,
  // Bitwise operations on a float's register, with the constant given by its bits.
  FloatBitsAnd,
  FloatBitsOr,
  FloatBitsAndNot,
  ICmp,
  FCmp,
  Select,
  FAdd,
  FSub,
  FMul,
  FDiv,
  FNeg,
  FAbs,
  CopySign,
  FMin,
  FMax,
  Sqrt,
  RSqrt,
  Exp,
  Exp2,
  Log,
  Log2,
  Tanh,
  Sigmoid,
  Round,
  MulAdd,
  // Conversions; BitCast keeps the bits.
  ZExt,
  SExt,
  Trunc,
  FPExt,
  FPTrunc,
  IntToFloat,
  FloatToInt,
  BitCast,
  // Vectors. Element and Insert name the element in `immediate`.
  Element,
  Insert,
  Splat,
  Build,
  Shuffle,
  // Memory. Load and Store name the type in memory in `type`, Offset the bytes of a step in
  // `immediate`.
  Load,
  Store,
  Offset,
  Alloca,
  Call,
  Phi,
  // LoopEntry makes a counter of its operand, LoopBranch counts it down; `loop` is their form.
  LoopEntry,
  // Ends of a block; `blocks` are the targets, the one of a true condition first.
  Return,
  Branch,
  CondBranch,
  LoopBranch,
};

/// Predicates of comparisons. Those of floats hold or fail on a NaN as their first letter says.
enum class Predicate : std::uint8_t {
  Eq,
  Ne,
  SLt,
  SLe,
  SGt,
  SGe,
  ULt,
  ULe,
  UGt,
  UGe,
  False,
  OEq,
  OGt,
  OGe,
  OLt,
  OLe,
  ONe,
  Ord,
  Uno,
  UEq,
  FUGt,
  FUGe,
  FULt,
  FULe,
  UNe,
  True,
};

/// How a counted loop closes. Repeat: the `rpt` instruction, no cost a turn; CountDown: `brnzdec`,
/// one main slot; AddBranch: an add and a branch.
enum class LoopForm : std::uint8_t { Repeat, CountDown, AddBranch };

/// What is known of the upper bits of a small integer that is a parameter.
enum class Extension : std::uint8_t { None, Zero, Sign };

/// An operand: a value, a constant by its bits, or the address of something with a fixed place.
struct Operand {
  enum class Kind : std::uint8_t { Value, Constant, Address };
  Kind kind = Kind::Constant;
  ValueId value = 0;
  std::uint64_t bits = 0;

  static Operand of(ValueId id) { return {Kind::Value, id, 0}; }
  static Operand constant(std::uint64_t bits) { return {Kind::Constant, 0, bits}; }
  static Operand address(std::uint64_t number) { return {Kind::Address, 0, number}; }
  [[nodiscard]] bool isValue() const { return kind == Kind::Value; }
  [[nodiscard]] bool isConstant() const { return kind == Kind::Constant; }
  [[nodiscard]] bool isConstant(std::uint64_t wanted) const {
    return isConstant() && bits == wanted;
  }
};

struct Operation {
  Op op = Op::Add;
  Type type = Type::Void;  ///< of the result; of the value in memory for Store
  std::optional<ValueId> result;
  std::vector<Operand> operands;     ///< of Store: value, pointer
  std::vector<BlockId> blocks;       ///< targets; for Phi the block of each operand
  std::string callee;                ///< of Call; empty: only its address is known
  std::vector<Type> argument_types;  ///< of Call: the types of constants among the operands
  Predicate predicate = Predicate::Eq;
  LoopForm loop = LoopForm::CountDown;
  unsigned alignment = 0;      ///< bytes, of Load and Store
  std::int64_t immediate = 0;  ///< see Op
  unsigned alias_class = 0;    ///< accesses of different classes never overlap; 0: unknown
  std::uint32_t line = 0;      ///< in the source; 0: none
};

struct Value {
  Type type = Type::Void;
  Extension extension = Extension::None;
};

struct BasicBlock {
  std::string name;
  std::vector<Operation> operations;
  unsigned loop_depth = 0;
  /// Where constants of this loop's block are made once. Nothing outside loops.
  std::optional<BlockId> preheader;
};

/// Ordinary functions save registers and return; a vertex's entry saves none and exits.
enum class Convention : std::uint8_t { Ordinary, Vertex };

/// The blocks are in the order of the code, the entry first. Every phi is needed.
struct Function {
  std::string name;
  Convention convention = Convention::Ordinary;
  Type result = Type::Void;
  std::vector<ValueId> parameters;
  std::vector<Value> values;
  std::vector<BasicBlock> blocks;
};

}  // namespace ipusim::tile_compiler
