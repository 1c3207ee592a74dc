// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/count/tile_target.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/Analysis/TargetTransformInfoImpl.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/MathExtras.h>

#include "poplar/tile_compiler/machine_facts.h"

namespace ipusim::codelets {
namespace {

using llvm::TargetTransformInfo;

constexpr unsigned kWordBits = 32;
constexpr unsigned kVectorBits = 64;
using Cost = llvm::InstructionCost::CostType;

constexpr Cost kPartStore = 10;       // the routine and its call, as in llvm's tests for the tile
constexpr Cost kPartLoad = 4;         // by half words, over the stack
constexpr Cost kUnpackedElement = 4;  // packed integers below a word are taken apart and put back

class TileTarget final : public llvm::TargetTransformInfoImplCRTPBase<TileTarget> {
 public:
  explicit TileTarget(const llvm::DataLayout& layout)
      : TargetTransformInfoImplCRTPBase<TileTarget>(layout) {}

  // NOLINTBEGIN(readability-convert-member-functions-to-static, readability-function-size)
  // LLVM calls these on an object, with these parameters.

  // base + immediate, in units of the access, not below zero; base + index of the access's size.
  bool isLegalAddressingMode(llvm::Type* type, llvm::GlobalValue* global, std::int64_t offset,
                             bool has_base, std::int64_t scale, unsigned,
                             llvm::Instruction* = nullptr) const {
    if (global != nullptr) return false;
    const std::int64_t unit = unitOf(type);
    const bool has_offset = offset != 0;
    if (offset < 0 || offset % unit != 0 || offset / unit > tile_compiler::kOffsetHigh)
      return false;
    if (scale == 0) return true;
    if (scale == 1) return !has_base || !has_offset;
    return scale == unit && !has_offset;
  }

  [[nodiscard]] bool isLegalAddImmediate(std::int64_t value) const {
    return value >= tile_compiler::kAddImmediateLow && value <= tile_compiler::kAddImmediateHigh;
  }
  [[nodiscard]] bool isLegalICmpImmediate(std::int64_t value) const {
    return value >= tile_compiler::kSigned16Low && value <= tile_compiler::kSigned16High;
  }

  TargetTransformInfo::AddressingModeKind getPreferredAddressingMode(const llvm::Loop*,
                                                                     llvm::ScalarEvolution*) const {
    return TargetTransformInfo::AMK_PostIndexed;
  }
  bool isIndexedLoadLegal(TargetTransformInfo::MemIndexedMode mode, llvm::Type*,
                          const llvm::DataLayout&) const {
    return mode == TargetTransformInfo::MIM_PostInc;
  }
  bool isIndexedStoreLegal(TargetTransformInfo::MemIndexedMode mode, llvm::Type* type,
                           const llvm::DataLayout&) const {
    return mode == TargetTransformInfo::MIM_PostInc && unitOf(type) >= tile_compiler::kWordBytes;
  }

  // The counting branch needs no variable of the loop.
  bool canSaveCmp(llvm::Loop* loop, llvm::BranchInst** branch, llvm::ScalarEvolution* evolution,
                  llvm::LoopInfo*, llvm::DominatorTree*, llvm::AssumptionCache*,
                  llvm::TargetLibraryInfo*) const {
    if (!isCountable(*loop, *evolution)) return false;
    *branch = llvm::cast<llvm::BranchInst>(loop->getLoopLatch()->getTerminator());
    return true;
  }

  [[nodiscard]] unsigned getNumberOfRegisters(unsigned register_class) const {
    return register_class == 0 ? tile_compiler::kMainGeneral : tile_compiler::kAuxGeneral;
  }
  [[nodiscard]] unsigned getRegisterClassForType(bool vector, llvm::Type* type = nullptr) const {
    return vector || (type != nullptr && type->isFloatingPointTy()) ? 1 : 0;
  }
  [[nodiscard]] llvm::TypeSize getRegisterBitWidth(TargetTransformInfo::RegisterKind kind) const {
    switch (kind) {
      case TargetTransformInfo::RGK_Scalar:
        return llvm::TypeSize::getFixed(kWordBits);
      case TargetTransformInfo::RGK_FixedWidthVector:
        return llvm::TypeSize::getFixed(kVectorBits);
      default:
        return llvm::TypeSize::getScalable(0);
    }
  }
  [[nodiscard]] unsigned getMinVectorRegisterBitWidth() const { return kVectorBits; }

  llvm::InstructionCost getArithmeticInstrCost(unsigned opcode, llvm::Type* type,
                                               TargetTransformInfo::TargetCostKind kind,
                                               TargetTransformInfo::OperandValueInfo first,
                                               TargetTransformInfo::OperandValueInfo second,
                                               llvm::ArrayRef<const llvm::Value*> arguments,
                                               const llvm::Instruction* context = nullptr) const {
    if (isPackedInteger(type)) return kUnpackedElement * elementsOf(type);
    // The main lane computes one whole number at a time.
    if (type->isVectorTy() && type->getScalarType()->isIntegerTy()) return elementsOf(type);
    return BaseT::getArithmeticInstrCost(opcode, type, kind, first, second, arguments, context);
  }
  // What LLVM assumes of a target that says nothing of it: an instruction to take an element out,
  // one to put it in.
  llvm::InstructionCost getScalarizationOverhead(llvm::VectorType*, const llvm::APInt& elements,
                                                 bool inserts, bool extracts,
                                                 TargetTransformInfo::TargetCostKind) const {
    return static_cast<Cost>(elements.countPopulation()) * ((inserts ? 1 : 0) + (extracts ? 1 : 0));
  }
  llvm::InstructionCost getShuffleCost(TargetTransformInfo::ShuffleKind shuffle,
                                       llvm::VectorType* type, llvm::ArrayRef<int>,
                                       TargetTransformInfo::TargetCostKind, int,
                                       llvm::VectorType* part,
                                       llvm::ArrayRef<const llvm::Value*> = std::nullopt) const {
    const Cost elements = elementsOf(part == nullptr ? type : part);
    return shuffle == TargetTransformInfo::SK_Broadcast ? 1 + elements : 2 * elements;
  }
  llvm::InstructionCost getInterleavedMemoryOpCost(unsigned opcode, llvm::Type* type, unsigned,
                                                   llvm::ArrayRef<unsigned>, llvm::Align alignment,
                                                   unsigned space,
                                                   TargetTransformInfo::TargetCostKind kind,
                                                   bool = false, bool = false) const {
    return getMemoryOpCost(opcode, type, alignment, space, kind, {}, nullptr) +
           2 * elementsOf(type);
  }
  llvm::InstructionCost getMemoryOpCost(unsigned opcode, llvm::Type* type,
                                        llvm::MaybeAlign alignment, unsigned,
                                        TargetTransformInfo::TargetCostKind,
                                        TargetTransformInfo::OperandValueInfo,
                                        const llvm::Instruction*) const {
    if (isPackedInteger(type)) return kUnpackedElement * elementsOf(type);
    const std::uint64_t bytes = DL.getTypeStoreSize(type).getFixedValue();
    const std::uint64_t aligned = alignment ? alignment->value() : bytes;
    const auto words = static_cast<Cost>(llvm::divideCeil(bytes, tile_compiler::kWordBytes));
    const bool is_part = bytes < tile_compiler::kWordBytes || aligned < tile_compiler::kWordBytes;
    if (is_part && opcode == llvm::Instruction::Store) return kPartStore * words;
    if (bytes > tile_compiler::kWordBytes && aligned < tile_compiler::kWordBytes)
      return kPartLoad * words;
    if (aligned < bytes) return words;
    return static_cast<int>(llvm::divideCeil(bytes, kVectorBits / 8));
  }
  // NOLINTEND(readability-convert-member-functions-to-static, readability-function-size)

 private:
  using BaseT = TargetTransformInfoImplCRTPBase<TileTarget>;

  [[nodiscard]] std::int64_t unitOf(llvm::Type* type) const {
    if (type == nullptr || !type->isSized()) return 1;
    const auto bytes = static_cast<std::int64_t>(DL.getTypeStoreSize(type).getFixedValue());
    return bytes >= 1 && bytes <= 8 ? bytes : 1;
  }
  static bool isPackedInteger(llvm::Type* type) {
    return type->isVectorTy() && type->getScalarType()->isIntegerTy() &&
           type->getScalarSizeInBits() < kWordBits && type->getScalarSizeInBits() > 1;
  }
  static Cost elementsOf(llvm::Type* type) {
    return static_cast<Cost>(llvm::cast<llvm::FixedVectorType>(type)->getNumElements());
  }
};

}  // namespace

llvm::TargetIRAnalysis tileAnalysis() {
  return llvm::TargetIRAnalysis([](const llvm::Function& function) {
    return TargetTransformInfo(TileTarget(function.getParent()->getDataLayout()));
  });
}

bool isCountable(llvm::Loop& loop, llvm::ScalarEvolution& evolution) {
  llvm::BasicBlock* const latch = loop.getLoopLatch();
  if (latch == nullptr || loop.getExitingBlock() != latch || loop.getLoopPreheader() == nullptr) {
    return false;
  }
  const auto* const branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
  if (branch == nullptr || !branch->isConditional()) return false;
  const llvm::SCEV* const trips = evolution.getExitCount(&loop, latch);
  return !llvm::isa<llvm::SCEVCouldNotCompute>(trips) &&
         evolution.getUnsignedRangeMax(trips).getActiveBits() <= kWordBits &&
         evolution.getTypeSizeInBits(trips->getType()) <= kVectorBits;
}

}  // namespace ipusim::codelets
