// SPDX-License-Identifier: Apache-2.0
#include "poplar/tile_compiler/registers/frame.h"

#include <set>

#include "ipusim/units.h"
#include "poplar/tile_compiler/machine_facts.h"
#include "poplar/tile_compiler/registers/allocate.h"
#include "poplar/tile_compiler/select/selection.h"

namespace ipusim::tile_compiler {
namespace {

Instruction mainInstruction(std::string_view name, std::vector<PhysicalId> reads,
                            std::vector<PhysicalId> writes) {
  Instruction instruction;
  instruction.name = name;
  instruction.physical_reads = std::move(reads);
  instruction.physical_writes = std::move(writes);
  return instruction;
}

std::set<PhysicalId> savedRegisters(const MachineFunction& function) {
  std::set<PhysicalId> saved;
  for (const MachineBlock& block : function.blocks) {
    for (const Instruction& instruction : block.instructions) {
      for (const PhysicalId place : instruction.physical_writes) {
        if (!isCallerSaved(place) && place != kLinkRegister) saved.insert(place);
      }
    }
  }
  return saved;
}

/// The prologue and the epilogue of an ordinary function.
struct Frame {
  std::vector<Instruction> enter;
  std::vector<Instruction> leave;
  std::uint64_t bytes = 0;
};

/// Saves one register, or the pair of aux registers, and restores it in the reverse order.
void addSaved(Frame& frame, const std::vector<PhysicalId>& places) {
  const auto bytes = static_cast<unsigned>(kWordBytes * places.size());
  frame.enter.push_back(mainInstruction("st", places, {}));
  frame.enter.back().memory = Selection::slotAccess(MemoryAccess::Kind::Store, 0, bytes);
  frame.leave.insert(frame.leave.begin(), mainInstruction("ld", {}, places));
  frame.leave.front().memory = Selection::slotAccess(MemoryAccess::Kind::Load, 0, bytes);
  frame.bytes += bytes;
}

Frame frameOf(const MachineFunction& function, const TileCompiler& compiler) {
  Frame frame;
  frame.bytes = function.stack_bytes;
  if (function.calls) addSaved(frame, {kLinkRegister});
  bool saves_aux = false;
  for (const PhysicalId place : savedRegisters(function)) {
    if (place >= kFirstAux) {
      saves_aux = true;
    } else {
      addSaved(frame, {place});
    }
  }
  if (saves_aux) {
    addSaved(frame, {kFirstAux + kFirstAuxSaved, kFirstAux + kFirstAuxSaved + 1});
  }
  frame.bytes = roundUp<std::uint64_t>(frame.bytes, kFrameAlignmentBytes);
  if (frame.bytes == 0) return frame;
  std::vector<Instruction> start = {mainInstruction("add", {kStackRegister}, {kStackRegister})};
  if (compiler.stack_check == StackCheck::On) {
    for (unsigned n = 0; n < kStackCheckMain; ++n) {
      start.push_back(mainInstruction("check", {kStackRegister}, {}));
    }
  }
  frame.enter.insert(frame.enter.begin(), start.begin(), start.end());
  frame.leave.push_back(mainInstruction("add", {kStackRegister}, {kStackRegister}));
  return frame;
}

/// The entry of a vertex sets the stack and saves nothing.
Frame frameOfVertex(const MachineFunction& function, const TileCompiler& compiler) {
  Frame frame;
  frame.bytes = roundUp<std::uint64_t>(function.stack_bytes, kFrameAlignmentBytes);
  if (frame.bytes == 0 && !function.calls) return frame;
  frame.enter.push_back(mainInstruction("setzi", {}, {kStackRegister}));
  if (compiler.stack_check == StackCheck::On) {
    for (unsigned n = 0; n < kStackCheckMain; ++n) {
      frame.enter.push_back(mainInstruction("check", {kStackRegister}, {}));
    }
  }
  return frame;
}

}  // namespace

std::uint64_t addFrame(MachineFunction& function, const TileCompiler& compiler) {
  const Frame frame = function.convention == Convention::Vertex ? frameOfVertex(function, compiler)
                                                                : frameOf(function, compiler);
  if (function.blocks.empty()) return frame.bytes;
  auto& first = function.blocks.front().instructions;
  first.insert(first.begin(), frame.enter.begin(), frame.enter.end());
  for (MachineBlock& block : function.blocks) {
    auto& instructions = block.instructions;
    if (instructions.empty() || !instructions.back().returns) continue;
    instructions.insert(instructions.end() - 1, frame.leave.begin(), frame.leave.end());
  }
  return frame.bytes;
}

}  // namespace ipusim::tile_compiler
