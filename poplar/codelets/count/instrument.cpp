// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/count/instrument.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/Support/ModRef.h>

#include "poplar/codelets/count/count.h"

namespace ipusim::codelets {
namespace {

llvm::ArrayType* arrayOf(llvm::Module& module, std::size_t size) {
  return llvm::ArrayType::get(llvm::Type::getInt64Ty(module.getContext()), size);
}

llvm::GlobalVariable* makeArray(llvm::Module& module, std::size_t size) {
  llvm::ArrayType* const type = arrayOf(module, size);
  return new llvm::GlobalVariable(module, type, false, llvm::GlobalValue::ExternalLinkage,
                                  llvm::Constant::getNullValue(type), kCountsSymbol);
}

/// The place behind an instruction where others may stand.
llvm::Instruction& behind(llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction)) return *instruction.getParent()->getFirstInsertionPt();
  return *instruction.getNextNode();
}

}  // namespace

Instrumenter::Instrumenter(llvm::Module& module) : module_(module), counts_(makeArray(module, 0)) {}

void Instrumenter::add(llvm::Instruction& before, std::size_t counter, llvm::Value* amount) {
  llvm::IRBuilder<> build(&before);
  llvm::Type* const number = build.getInt64Ty();
  llvm::Value* const place =
      build.CreateConstInBoundsGEP1_32(number, counts_, static_cast<unsigned>(counter));
  build.CreateStore(build.CreateAdd(build.CreateLoad(number, place), amount), place);
}

void Instrumenter::countBlock(llvm::BasicBlock& block, std::size_t counter) {
  countBefore(*block.getFirstInsertionPt(), counter);
}

void Instrumenter::countBefore(llvm::Instruction& instruction, std::size_t counter) {
  llvm::Type* const number = llvm::Type::getInt64Ty(module_.getContext());
  add(instruction, counter, llvm::ConstantInt::get(number, 1));
}

void Instrumenter::countCondition(llvm::Value& condition, llvm::Instruction& after, Counts counts,
                                  std::size_t counter) {
  llvm::Instruction& place = behind(after);
  llvm::IRBuilder<> build(&place);
  llvm::Value* counted = &condition;
  if (counts == Counts::False) counted = build.CreateNot(counted);
  add(place, counter, build.CreateZExt(counted, build.getInt64Ty()));
}

void Instrumenter::countQuotientBits(llvm::BinaryOperator& division, std::size_t counter) {
  // Trips are clz(divisor) - clz(dividend) + 1, and none when the divisor is greater.
  llvm::IRBuilder<> build(&division);
  llvm::Value* dividend = division.getOperand(0);
  llvm::Value* divisor = division.getOperand(1);
  llvm::Type* const type = dividend->getType();
  const bool is_signed = division.getOpcode() == llvm::Instruction::SDiv ||
                         division.getOpcode() == llvm::Instruction::SRem;
  if (is_signed) {
    dividend = build.CreateBinaryIntrinsic(llvm::Intrinsic::abs, dividend, build.getFalse());
    divisor = build.CreateBinaryIntrinsic(llvm::Intrinsic::abs, divisor, build.getFalse());
  }
  const auto zeros = [&](llvm::Value* value) {
    return build.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, value, build.getFalse());
  };
  llvm::Value* const bits = build.CreateAdd(build.CreateSub(zeros(divisor), zeros(dividend)),
                                            llvm::ConstantInt::get(type, 1));
  llvm::Value* const runs = build.CreateICmpUGE(dividend, divisor);
  llvm::Value* const trips = build.CreateSelect(runs, bits, llvm::Constant::getNullValue(type));
  add(division, counter, build.CreateZExtOrTrunc(trips, build.getInt64Ty()));
}

void Instrumenter::countEvenHalfWords(llvm::StoreInst& store, std::size_t counter) {
  llvm::IRBuilder<> build(&store);
  llvm::Value* const address = build.CreatePtrToInt(store.getPointerOperand(), build.getInt32Ty());
  llvm::Value* const half = build.CreateAnd(address, build.getInt32(2));
  llvm::Value* const is_even = build.CreateICmpEQ(half, build.getInt32(0));
  add(store, counter, build.CreateZExt(is_even, build.getInt64Ty()));
}

void Instrumenter::finish(std::size_t counters) {
  if (counters > 0) {
    counts_->setName("");
    llvm::GlobalVariable* const all = makeArray(module_, counters);
    counts_->replaceAllUsesWith(all);
  }
  counts_->eraseFromParent();
  for (llvm::Function& function : module_) {
    if (function.isDeclaration()) continue;
    function.setMemoryEffects(llvm::MemoryEffects::unknown());
    function.removeFnAttr(llvm::Attribute::Speculatable);
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        auto* const call = llvm::dyn_cast<llvm::CallBase>(&instruction);
        if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call)) continue;
        const llvm::Function* const callee = call->getCalledFunction();
        if (callee != nullptr && callee->isDeclaration()) continue;
        call->removeFnAttr(llvm::Attribute::Memory);
        call->removeFnAttr(llvm::Attribute::Speculatable);
      }
    }
  }
}

}  // namespace ipusim::codelets
