// SPDX-License-Identifier: Apache-2.0
#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>

#include "poplar/codelets/count/pieces.h"
#include "poplar/codelets/count/translator.h"

namespace ipusim::codelets {
namespace {

using tile_compiler::bytesOf;
using tile_compiler::Op;
using tile_compiler::Operand;
using tile_compiler::Predicate;
using tile_compiler::Type;

std::optional<Op> arithmeticOf(unsigned opcode) {
  using llvm::Instruction;
  switch (opcode) {
    case Instruction::Add:
      return Op::Add;
    case Instruction::Sub:
      return Op::Sub;
    case Instruction::Mul:
      return Op::Mul;
    case Instruction::And:
      return Op::And;
    case Instruction::Or:
      return Op::Or;
    case Instruction::Xor:
      return Op::Xor;
    case Instruction::Shl:
      return Op::Shl;
    case Instruction::LShr:
      return Op::LShr;
    case Instruction::AShr:
      return Op::AShr;
    case Instruction::UDiv:
      return Op::UDiv;
    case Instruction::SDiv:
      return Op::SDiv;
    case Instruction::URem:
      return Op::URem;
    case Instruction::SRem:
      return Op::SRem;
    case Instruction::FAdd:
      return Op::FAdd;
    case Instruction::FSub:
      return Op::FSub;
    case Instruction::FMul:
      return Op::FMul;
    case Instruction::FDiv:
      return Op::FDiv;
    case Instruction::FNeg:
      return Op::FNeg;
    default:
      return std::nullopt;
  }
}

std::optional<Op> castOf(unsigned opcode) {
  using llvm::Instruction;
  switch (opcode) {
    case Instruction::ZExt:
      return Op::ZExt;
    case Instruction::SExt:
      return Op::SExt;
    case Instruction::Trunc:
      return Op::Trunc;
    case Instruction::FPExt:
      return Op::FPExt;
    case Instruction::FPTrunc:
      return Op::FPTrunc;
    case Instruction::UIToFP:
    case Instruction::SIToFP:
      return Op::IntToFloat;
    case Instruction::FPToUI:
    case Instruction::FPToSI:
      return Op::FloatToInt;
    default:
      return std::nullopt;  // keeps the bits
  }
}

Predicate predicateOf(llvm::CmpInst::Predicate predicate) {
  using llvm::CmpInst;
  switch (predicate) {
    case CmpInst::ICMP_EQ:
      return Predicate::Eq;
    case CmpInst::ICMP_NE:
      return Predicate::Ne;
    case CmpInst::ICMP_SLT:
      return Predicate::SLt;
    case CmpInst::ICMP_SLE:
      return Predicate::SLe;
    case CmpInst::ICMP_SGT:
      return Predicate::SGt;
    case CmpInst::ICMP_SGE:
      return Predicate::SGe;
    case CmpInst::ICMP_ULT:
      return Predicate::ULt;
    case CmpInst::ICMP_ULE:
      return Predicate::ULe;
    case CmpInst::ICMP_UGT:
      return Predicate::UGt;
    case CmpInst::ICMP_UGE:
      return Predicate::UGe;
    case CmpInst::FCMP_FALSE:
      return Predicate::False;
    case CmpInst::FCMP_TRUE:
      return Predicate::True;
    case CmpInst::FCMP_ONE:
      return Predicate::ONe;
    case CmpInst::FCMP_ORD:
      return Predicate::Ord;
    case CmpInst::FCMP_UNO:
      return Predicate::Uno;
    case CmpInst::FCMP_UEQ:
      return Predicate::UEq;
    case CmpInst::FCMP_UGT:
    case CmpInst::FCMP_UGE:
    case CmpInst::FCMP_ULT:
    case CmpInst::FCMP_ULE:
      return Predicate::FULt;  // all four cost the same
    default:
      return Predicate::OLt;  // so do oeq, ogt, oge, olt, ole and une
  }
}

unsigned elementsBefore(const std::vector<Type>& pieces, std::size_t end) {
  unsigned elements = 0;
  for (std::size_t piece = 0; piece < end; ++piece) {
    elements += std::max(1U, elementsIn(pieces[piece]));
  }
  return elements;
}

/// The pieces of a vector that hold what one piece of its conversion is made of.
std::vector<Operand> sourcesOf(const std::vector<Type>& to, std::size_t piece,
                               const std::vector<Type>& from,
                               const std::vector<Operand>& operands) {
  // Both sides in units of 1 / (elements of one times elements of the other).
  const unsigned sources = elementsBefore(from, from.size());
  const unsigned results = elementsBefore(to, to.size());
  const unsigned begin = elementsBefore(to, piece) * sources;
  const unsigned end = elementsBefore(to, piece + 1) * sources;
  std::vector<Operand> found;
  for (std::size_t source = 0; source < from.size(); ++source) {
    const bool starts_before_end = elementsBefore(from, source) * results < end;
    const bool ends_behind_begin = elementsBefore(from, source + 1) * results > begin;
    if (starts_before_end && ends_behind_begin) found.push_back(operands[source]);
  }
  return found;
}

}  // namespace

bool Translator::translateArithmetic(llvm::Instruction& instruction) {
  const auto op = arithmeticOf(instruction.getOpcode());
  if (!op) return false;
  std::vector<const llvm::Value*> operands;
  for (const llvm::Use& operand : instruction.operands()) operands.push_back(operand.get());
  eachPiece(*op, instruction, operands);
  return true;
}

void Translator::translateCast(llvm::CastInst& cast) {
  const std::vector<Operand> from = operandsOf(*cast.getOperand(0));
  const std::vector<Type> types = typesOf(cast);
  const auto op = castOf(cast.getOpcode());
  for (std::size_t piece = 0; piece < types.size(); ++piece) {
    const bool is_whole = from.size() == types.size();
    // A vector that takes more or fewer registers than before is sorted into them.
    const bool is_sorted = !is_whole && cast.getType()->isVectorTy() && op != Op::FPExt;
    if (is_sorted) {
      define(Op::Shuffle, cast, piece, sourcesOf(types, piece, typesOf(*cast.getOperand(0)), from));
      continue;
    }
    const Operand source = from[std::min(piece, from.size() - 1)];
    Operation& operation = define(op.value_or(Op::BitCast), cast, piece, {source});
    if (cast.getOpcode() == llvm::Instruction::UIToFP) operation.predicate = Predicate::ULt;
  }
}

void Translator::translateCompare(llvm::CmpInst& compare) {
  const std::vector<Operand> first = operandsOf(*compare.getOperand(0));
  const std::vector<Operand> second = operandsOf(*compare.getOperand(1));
  const Op op = llvm::isa<llvm::ICmpInst>(compare) ? Op::ICmp : Op::FCmp;
  for (std::size_t piece = 0; piece < typesOf(compare).size(); ++piece) {
    const std::size_t n = std::min(piece, first.size() - 1);
    define(op, compare, piece, {first[n], second[n]}).predicate =
        predicateOf(compare.getPredicate());
  }
}

void Translator::translateSelect(llvm::SelectInst& select) {
  const llvm::Value& condition = *select.getCondition();
  const auto* const yes = llvm::dyn_cast<llvm::Constant>(select.getTrueValue());
  const auto* const no = llvm::dyn_cast<llvm::Constant>(select.getFalseValue());
  if (select.getType()->isIntegerTy(1) && no != nullptr && no->isNullValue()) {
    eachPiece(Op::And, select, {&condition, select.getTrueValue()});
    return;
  }
  if (select.getType()->isIntegerTy(1) && yes != nullptr && yes->isOneValue()) {
    eachPiece(Op::Or, select, {&condition, select.getFalseValue()});
    return;
  }
  if (!condition.getType()->isVectorTy()) {
    eachPiece(Op::Select, select, {&condition, select.getTrueValue(), select.getFalseValue()});
    const Operand decided = operandsOf(condition)[0];
    if (decided.isValue()) to_.conditions[decided.value] = select.getCondition();
    return;
  }
  // A mask keeps bits of both sides: and, andc, or. CopySign of a vector is those three.
  eachPiece(select.getType()->isFPOrFPVectorTy() ? Op::CopySign : Op::Select, select,
            {select.getTrueValue(), select.getFalseValue(), &condition});
}

void Translator::translateOffset(llvm::GEPOperator& offset, const llvm::Value& result) {
  const llvm::DataLayout& layout = from_.getParent()->getDataLayout();
  llvm::MapVector<llvm::Value*, llvm::APInt> variable;
  const unsigned bits = layout.getIndexSizeInBits(0);
  llvm::APInt constant(bits, 0);
  Operand pointer = operandsOf(*offset.getPointerOperand())[0];
  if (!offset.collectOffset(layout, bits, variable, constant)) {
    rename(result, 0, pointer);
    return;
  }
  const auto bytes = static_cast<std::uint32_t>(constant.getZExtValue());
  std::vector<std::pair<Operand, std::int64_t>> steps;
  if (bytes != 0) steps.emplace_back(Operand::constant(bytes), 1);
  for (const auto& [index, scale] : variable) {
    steps.emplace_back(operandsOf(*index)[0], scale.getSExtValue());
  }
  if (steps.empty()) {
    rename(result, 0, pointer);
    return;
  }
  for (std::size_t n = 0; n + 1 < steps.size(); ++n) {
    pointer = make(Op::Offset, Type::Pointer, {pointer, steps[n].first}, steps[n].second);
  }
  define(Op::Offset, result, 0, {pointer, steps.back().first}).immediate = steps.back().second;
}

void Translator::translateAccess(llvm::Instruction& access) {
  const bool is_load = !llvm::isa<llvm::StoreInst>(access);
  const llvm::Value* const pointer = llvm::getLoadStorePointerOperand(&access) != nullptr
                                         ? llvm::getLoadStorePointerOperand(&access)
                                         : access.getOperand(0);
  const llvm::Value& value = is_load ? static_cast<llvm::Value&>(access) : *access.getOperand(0);
  const std::uint64_t alignment = llvm::isa<llvm::LoadInst, llvm::StoreInst>(access)
                                      ? llvm::getLoadStoreAlignment(&access).value()
                                      : bytesOf(Type::I32);
  const Operand base = operandsOf(*pointer)[0];
  const std::vector<Type> types = typesOf(value);
  const std::vector<Operand> parts = is_load ? std::vector<Operand>{} : operandsOf(value);
  std::uint64_t at = 0;
  for (std::size_t piece = 0; piece < types.size(); ++piece) {
    const Operand place =
        at == 0 ? base : make(Op::Offset, Type::Pointer, {base, Operand::constant(at)}, 1);
    const Type type = types[piece] == Type::I1 ? Type::I8 : types[piece];
    Operation& operation = is_load ? define(Op::Load, access, piece, {place})
                                   : append(Op::Store, type, {parts[piece], place});
    operation.type = type;
    operation.alignment =
        static_cast<unsigned>(at == 0 ? alignment : llvm::MinAlign(alignment, at));
    operation.alias_class = alias_classes_.lookup(&access);
    at += bytesOf(type);
  }
}

void Translator::translateAlloca(llvm::AllocaInst& alloca) {
  const llvm::DataLayout& layout = from_.getParent()->getDataLayout();
  const auto size = alloca.getAllocationSizeInBits(layout);
  define(Op::Alloca, alloca, 0, {}).immediate =
      size ? static_cast<std::int64_t>(size->getFixedValue() / 8) : 0;
}

}  // namespace ipusim::codelets
