// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "poplar/tile_compiler/function.h"

// The tile's instructions, first on virtual registers, then on real ones.

namespace ipusim::tile_compiler {

/// A register's place in MachineFunction::registers. Register 0 is the zero of both files.
using RegisterId = std::uint32_t;
constexpr RegisterId kZero = 0;

/// A real register: m0 to m15 are 0 to 15, a0 to a15 are 16 to 31.
using PhysicalId = std::uint8_t;
constexpr PhysicalId kFirstAux = 16;

/// One word of a virtual register, or all of it.
struct RegisterPart {
  static constexpr std::uint8_t kWhole = 2;
  RegisterId id = kZero;
  std::uint8_t word = kWhole;
};

/// A virtual register in a fixed place, such as an argument of a call.
struct FixedRegisterPart {
  RegisterPart part;
  PhysicalId place = 0;
};

struct MemoryAccess {
  /// The base of the function's own stack slots.
  static constexpr ValueId kStack = ~ValueId{0};
  /// What the address counts from: a value, or nothing that is known.
  std::optional<ValueId> base;
  std::int64_t offset = 0;  ///< bytes from the base
  unsigned bytes = 0;
  unsigned alias_class = 0;
  enum class Kind : std::uint8_t { Load, Store } kind = Kind::Load;
};

struct Instruction {
  /// Entry defines the parameters and takes no slot. Control ends a block; Call ends a scheduling
  /// region; Exit never shares its slot; Repeat starts an rpt loop and has a filler beside it.
  enum class Kind : std::uint8_t { Plain, Entry, Call, Control, Repeat, Exit };

  Lane lane = Lane::Main;
  Kind kind = Kind::Plain;
  std::string_view name;
  std::vector<RegisterPart> reads;
  std::vector<RegisterPart> writes;
  std::vector<FixedRegisterPart> fixed_reads;
  std::vector<FixedRegisterPart> fixed_writes;  ///< whole registers
  /// The first write must have the register of the first read.
  bool tied = false;
  /// A move that disappears where both sides can be one register.
  bool copy = false;
  /// Leaves the function: the frame is taken down before.
  bool returns = false;
  /// A constant, which may be made again rather than kept.
  bool constant = false;
  unsigned slots = 1;
  unsigned flops = 0;  ///< floating-point operations, one an element
  std::optional<MemoryAccess> memory;
  std::uint32_t line = 0;
  /// Registers after allocation; nothing before.
  std::vector<PhysicalId> physical_reads;
  std::vector<PhysicalId> physical_writes;
};

/// How a register may be treated when registers run out. Any: kept on the stack, and read again
/// around each loop or at each use. InLoop: it holds a value from the stack for one loop, and goes
/// back to a read at each use. Never: it lives at one instruction only.
enum class Spilling : std::uint8_t { Any, InLoop, Never };

struct VirtualRegister {
  Lane lane = Lane::Main;
  unsigned words = 1;
  Spilling spilling = Spilling::Any;
};

/// Whole: runs with its block. The others run only when the condition of a select fails or holds.
enum class Role : std::uint8_t { Whole, IfFalse, IfTrue };

struct MachineBlock {
  BlockId source = 0;
  Role role = Role::Whole;
  std::optional<ValueId> condition;  ///< of the select
  bool repeat = false;               ///< the body of an rpt: bundles only
  unsigned loop_depth = 0;
  std::vector<std::size_t> successors;
  std::vector<Instruction> instructions;
};

struct MachineFunction {
  Convention convention = Convention::Ordinary;
  std::vector<VirtualRegister> registers;
  std::vector<MachineBlock> blocks;
  std::uint64_t stack_bytes = 0;  ///< of objects: allocas, slots for moves, outgoing arguments
  bool calls = false;
};

}  // namespace ipusim::tile_compiler
