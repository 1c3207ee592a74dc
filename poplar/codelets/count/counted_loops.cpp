// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/count/counted_loops.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "poplar/codelets/count/tile_target.h"
#include "poplar/codelets/count/translate.h"
#include "poplar/tile_compiler/machine_facts.h"

namespace ipusim::codelets {
namespace {

using tile_compiler::LoopForm;

bool isCall(const llvm::Instruction& instruction) {
  const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call)) return false;
  const llvm::Function* const callee = call->getCalledFunction();
  return callee == nullptr || !isOneInstruction(callee->getName().str());
}

/// True where the body may become a call: of a function, or of a routine for a division or a store
/// below a word.
bool callsSomething(const llvm::BasicBlock& block) {
  for (const llvm::Instruction& instruction : block) {
    if (isCall(instruction)) return true;
    if (const auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      const auto bits = store->getValueOperand()->getType()->getPrimitiveSizeInBits();
      const bool is_pointer = store->getValueOperand()->getType()->isPointerTy();
      if (!is_pointer && bits < 32) return true;
      if (store->getAlign().value() < tile_compiler::kWordBytes) return true;
    }
    if (instruction.isIntDivRem() && !llvm::isa<llvm::Constant>(instruction.getOperand(1))) {
      return true;
    }
    if (instruction.getType()->isDoubleTy()) return true;
  }
  return false;
}

LoopForm formOf(const llvm::Loop& loop, const llvm::SCEV* trips, llvm::ScalarEvolution& evolution) {
  const bool is_one_block = loop.isInnermost() && loop.getNumBlocks() == 1;
  if (!is_one_block || callsSomething(*loop.getHeader())) return LoopForm::CountDown;
  const llvm::APInt most = evolution.getUnsignedRangeMax(trips);
  return most.ule(tile_compiler::kRepeatLimit) ? LoopForm::Repeat : LoopForm::CountDown;
}

}  // namespace

llvm::DenseMap<const llvm::BasicBlock*, CountedLoop> findCountedLoops(llvm::Function& function,
                                                                      TileOptimiser& optimiser) {
  llvm::DenseMap<const llvm::BasicBlock*, CountedLoop> found;
  auto& loops = optimiser.functions().getResult<llvm::LoopAnalysis>(function);
  auto& evolution = optimiser.functions().getResult<llvm::ScalarEvolutionAnalysis>(function);
  llvm::SCEVExpander expander(evolution, function.getParent()->getDataLayout(), "trips");
  llvm::Type* const word = llvm::Type::getInt32Ty(function.getContext());
  for (llvm::Loop* const loop : loops.getLoopsInPreorder()) {
    if (!isCountable(*loop, evolution)) continue;
    const llvm::SCEV* const back =
        evolution.getTruncateOrZeroExtend(evolution.getExitCount(loop, loop->getLoopLatch()), word);
    const llvm::SCEV* const trips = evolution.getAddExpr(back, evolution.getOne(word));
    llvm::Instruction* const end = loop->getLoopPreheader()->getTerminator();
    if (!expander.isSafeToExpandAt(trips, end)) continue;
    CountedLoop counted;
    counted.preheader = loop->getLoopPreheader();
    counted.header = loop->getHeader();
    counted.trips = expander.expandCodeFor(trips, word, end);
    counted.form = formOf(*loop, trips, evolution);
    found[loop->getLoopLatch()] = counted;
  }
  return found;
}

}  // namespace ipusim::codelets
