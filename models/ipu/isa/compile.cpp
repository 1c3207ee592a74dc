// SPDX-License-Identifier: Apache-2.0
#include "models/ipu/isa/compile.h"

#include "models/ipu/isa/allocate.h"
#include "models/ipu/isa/bundle.h"
#include "models/ipu/isa/coalesce.h"
#include "models/ipu/isa/frame.h"
#include "models/ipu/isa/machine_facts.h"
#include "models/ipu/isa/schedule.h"
#include "models/ipu/isa/selection.h"

namespace ipusim::models::isa {
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

}  // namespace ipusim::models::isa
