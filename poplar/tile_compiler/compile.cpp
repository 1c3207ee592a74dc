// SPDX-License-Identifier: Apache-2.0
#include "poplar/tile_compiler/compile.h"

#include "poplar/tile_compiler/bundle.h"
#include "poplar/tile_compiler/machine_facts.h"
#include "poplar/tile_compiler/registers/allocate.h"
#include "poplar/tile_compiler/registers/coalesce.h"
#include "poplar/tile_compiler/registers/frame.h"
#include "poplar/tile_compiler/schedule.h"
#include "poplar/tile_compiler/select/selection.h"

namespace ipusim::tile_compiler {
namespace {

void addLine(CompiledBlock& block, const Issue& issue) {
  if (block.lines.empty() || block.lines.back().line != issue.line) {
    block.lines.push_back({issue.line, Slots(0)});
  }
  block.lines.back().slots += Slots(issue.slots);
}

Work workOf(const MachineBlock& block) {
  Work work;
  for (const Instruction& instruction : block.instructions) {
    work.flops += Flops(instruction.flops);
    if (!instruction.memory) continue;
    const bool is_load = instruction.memory->kind == MemoryAccess::Kind::Load;
    (is_load ? work.loaded : work.stored) += Bytes(instruction.memory->bytes);
  }
  return work;
}

CompiledBlock compiled(const MachineBlock& block, const TileCompiler& compiler) {
  CompiledBlock result;
  result.source = block.source;
  result.role = block.role;
  result.condition = block.condition;
  result.work = workOf(block);
  for (const Issue& issue : bundle(block, compiler)) {
    result.sequence += issue.letter;
    result.main += issue.letter == 'A' ? 0 : 1;
    result.aux += issue.letter == 'M' ? 0 : 1;
    result.bundles += issue.letter == 'B' ? 1 : 0;
    result.slots += Slots(issue.slots);
    addLine(result, issue);
  }
  return result;
}

}  // namespace

CompiledFunction compileForTile(const Function& function, const TileCompiler& compiler) {
  MachineFunction machine = selectInstructions(function);
  coalesceCopies(machine);
  scheduleInstructions(machine);
  allocateRegisters(machine);
  CompiledFunction result;
  result.stack = Bytes(addFrame(machine, compiler));
  std::uint64_t code = 0;
  for (const MachineBlock& block : machine.blocks) {
    result.blocks.push_back(compiled(block, compiler));
    const CompiledBlock& last = result.blocks.back();
    if (block.repeat) code = roundUp<std::uint64_t>(code, kRepeatAlignmentBytes);
    code += std::uint64_t{kInstructionBytes} * (last.main + last.aux);
  }
  result.code = Bytes(code);
  return result;
}

}  // namespace ipusim::tile_compiler
