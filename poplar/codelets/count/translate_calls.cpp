// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>

#include "poplar/codelets/count/translator.h"
#include "poplar/tile_compiler/machine_facts.h"

namespace ipusim::codelets {
namespace {

using tile_compiler::Op;
using tile_compiler::Type;

struct NamedOp {
  std::string_view name;
  Op op;
};

/// Functions of the C library that are one instruction, or a short sequence, on the tile.
constexpr std::array kLibrary = {
    NamedOp{"sqrtf", Op::Sqrt},   NamedOp{"expf", Op::Exp},    NamedOp{"exp2f", Op::Exp2},
    NamedOp{"logf", Op::Log},     NamedOp{"log2f", Op::Log2},  NamedOp{"tanhf", Op::Tanh},
    NamedOp{"fabsf", Op::FAbs},   NamedOp{"fminf", Op::FMin},  NamedOp{"fmaxf", Op::FMax},
    NamedOp{"floorf", Op::Round}, NamedOp{"ceilf", Op::Round}, NamedOp{"truncf", Op::Round},
    NamedOp{"rintf", Op::Round},  NamedOp{"roundf", Op::Round}};

/// Functions of poplar/device/include/builtins.h that are one instruction without operands, such as
/// a look at a register. Assumed: it costs what an operation of one operand does.
constexpr std::array kWithoutOperands = {NamedOp{"ipusim_urand32", Op::PopulationCount},
                                         NamedOp{"ipusim_urand64", Op::PopulationCount},
                                         NamedOp{"ipusim_clock_low", Op::PopulationCount},
                                         NamedOp{"ipusim_clock_high", Op::PopulationCount},
                                         NamedOp{"ipusim_urand_f32", Op::Round},
                                         NamedOp{"ipusim_f32v2grand", Op::Round}};

template <std::size_t Count>
const NamedOp* find(const std::array<NamedOp, Count>& table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(),
                                  [&](const NamedOp& each) { return each.name == name; });
  return found == table.end() ? nullptr : &*found;
}

struct IntrinsicOp {
  llvm::Intrinsic::ID id;
  Op op;
};
constexpr std::array kIntrinsicOps{
    IntrinsicOp{llvm::Intrinsic::sqrt, Op::Sqrt},
    IntrinsicOp{llvm::Intrinsic::exp, Op::Exp},
    IntrinsicOp{llvm::Intrinsic::exp2, Op::Exp2},
    IntrinsicOp{llvm::Intrinsic::log, Op::Log},
    IntrinsicOp{llvm::Intrinsic::log2, Op::Log2},
    IntrinsicOp{llvm::Intrinsic::fabs, Op::FAbs},
    IntrinsicOp{llvm::Intrinsic::copysign, Op::CopySign},
    IntrinsicOp{llvm::Intrinsic::minnum, Op::FMin},
    IntrinsicOp{llvm::Intrinsic::minimum, Op::FMin},
    IntrinsicOp{llvm::Intrinsic::maxnum, Op::FMax},
    IntrinsicOp{llvm::Intrinsic::maximum, Op::FMax},
    IntrinsicOp{llvm::Intrinsic::floor, Op::Round},
    IntrinsicOp{llvm::Intrinsic::ceil, Op::Round},
    IntrinsicOp{llvm::Intrinsic::trunc, Op::Round},
    IntrinsicOp{llvm::Intrinsic::rint, Op::Round},
    IntrinsicOp{llvm::Intrinsic::nearbyint, Op::Round},
    IntrinsicOp{llvm::Intrinsic::round, Op::Round},
    IntrinsicOp{llvm::Intrinsic::roundeven, Op::Round},
    IntrinsicOp{llvm::Intrinsic::fma, Op::MulAdd},
    IntrinsicOp{llvm::Intrinsic::fmuladd, Op::MulAdd},
    IntrinsicOp{llvm::Intrinsic::smin, Op::SMin},
    IntrinsicOp{llvm::Intrinsic::smax, Op::SMax},
    IntrinsicOp{llvm::Intrinsic::umin, Op::UMin},
    IntrinsicOp{llvm::Intrinsic::umax, Op::UMax},
    IntrinsicOp{llvm::Intrinsic::abs, Op::Abs},
    IntrinsicOp{llvm::Intrinsic::ctpop, Op::PopulationCount},
    IntrinsicOp{llvm::Intrinsic::ctlz, Op::CountLeadingZeros},
    IntrinsicOp{llvm::Intrinsic::cttz, Op::CountTrailingZeros},
    IntrinsicOp{llvm::Intrinsic::bswap, Op::ByteSwap},
    IntrinsicOp{llvm::Intrinsic::bitreverse, Op::BitReverse},
    IntrinsicOp{llvm::Intrinsic::fshl, Op::Rotate},
    IntrinsicOp{llvm::Intrinsic::fshr, Op::Rotate},
    IntrinsicOp{llvm::Intrinsic::sadd_with_overflow, Op::Add},
    IntrinsicOp{llvm::Intrinsic::uadd_with_overflow, Op::Add},
    IntrinsicOp{llvm::Intrinsic::sadd_sat, Op::Add},
    IntrinsicOp{llvm::Intrinsic::uadd_sat, Op::Add},
    IntrinsicOp{llvm::Intrinsic::ssub_with_overflow, Op::Sub},
    IntrinsicOp{llvm::Intrinsic::usub_with_overflow, Op::Sub},
    IntrinsicOp{llvm::Intrinsic::ssub_sat, Op::Sub},
    IntrinsicOp{llvm::Intrinsic::usub_sat, Op::Sub},
    IntrinsicOp{llvm::Intrinsic::smul_with_overflow, Op::Mul},
    IntrinsicOp{llvm::Intrinsic::umul_with_overflow, Op::Mul},
};

std::optional<Op> intrinsicOp(llvm::Intrinsic::ID id) {
  const auto found = std::find_if(kIntrinsicOps.begin(), kIntrinsicOps.end(),
                                  [&](const IntrinsicOp& each) { return each.id == id; });
  if (found == kIntrinsicOps.end()) return std::nullopt;
  return found->op;
}

/// Operands that are values; the rest are flags of the intrinsic.
unsigned valuesOf(Op op) {
  switch (op) {
    case Op::MulAdd:
    case Op::Rotate:
      return 3;
    case Op::CopySign:
    case Op::FMin:
    case Op::FMax:
    case Op::SMin:
    case Op::SMax:
    case Op::UMin:
    case Op::UMax:
    case Op::Add:
    case Op::Sub:
    case Op::Mul:
      return 2;
    default:
      return 1;
  }
}

bool isSilent(const llvm::IntrinsicInst& intrinsic) {
  namespace Intrinsic = llvm::Intrinsic;
  const Intrinsic::ID id = intrinsic.getIntrinsicID();
  return llvm::isa<llvm::DbgInfoIntrinsic>(intrinsic) || intrinsic.isLifetimeStartOrEnd() ||
         id == Intrinsic::assume || id == Intrinsic::donothing || id == Intrinsic::sideeffect ||
         id == Intrinsic::experimental_noalias_scope_decl || id == Intrinsic::invariant_start ||
         id == Intrinsic::invariant_end || id == Intrinsic::trap;
}

}  // namespace

bool isOneInstruction(const std::string& callee) {
  return find(kLibrary, callee) != nullptr || find(kWithoutOperands, callee) != nullptr;
}

void Translator::translateCall(llvm::CallInst& call) {
  if (auto* const intrinsic = llvm::dyn_cast<llvm::IntrinsicInst>(&call)) {
    if (translateIntrinsic(*intrinsic)) return;
  }
  const llvm::Function* const callee = call.getCalledFunction();
  const std::string name = callee == nullptr ? "" : callee->getName().str();
  std::vector<llvm::Value*> arguments(call.arg_begin(), call.arg_end());
  if (const NamedOp* const found = find(kLibrary, name)) {
    eachPiece(found->op, call, {arguments.begin(), arguments.end()});
    return;
  }
  if (const NamedOp* const found = find(kWithoutOperands, name)) {
    const bool is_float = call.getType()->isFPOrFPVectorTy();
    const std::vector<Operand> operands(is_float ? 1 : 0, Operand::constant(0));
    for (std::size_t piece = 0; piece < typesOf(call).size(); ++piece) {
      define(found->op, call, piece, operands);
    }
    return;
  }
  if (callee != nullptr && !callee->isDeclaration()) to_.callees.push_back(name);
  emitCall(name, call, arguments);
}

void Translator::emitCall(std::string callee, const llvm::Value& result,
                          const std::vector<llvm::Value*>& arguments) {
  std::vector<Operand> operands;
  std::vector<Type> types;
  for (const llvm::Value* const argument : arguments) {
    if (argument->getType()->isMetadataTy()) continue;
    for (const Operand& operand : operandsOf(*argument)) operands.push_back(operand);
    for (const Type type : typesOf(*argument)) types.push_back(type);
  }
  types.resize(operands.size(), Type::I32);
  const std::vector<Type> pieces = typesOf(result);
  Operation& call = append(Op::Call, pieces.empty() ? Type::Void : pieces[0], operands);
  if (!pieces.empty()) call.result = values_[&result][0];
  call.callee = std::move(callee);
  call.argument_types = types;
}

bool Translator::translateIntrinsic(llvm::IntrinsicInst& intrinsic) {
  if (isSilent(intrinsic)) return true;
  if (auto* const memory = llvm::dyn_cast<llvm::MemIntrinsic>(&intrinsic)) {
    translateMemory(*memory);
    return true;
  }
  if (intrinsic.getIntrinsicID() == llvm::Intrinsic::expect) {
    rename(intrinsic, 0, operandsOf(*intrinsic.getOperand(0))[0]);
    return true;
  }
  const auto op = intrinsicOp(intrinsic.getIntrinsicID());
  if (!op) return false;
  std::vector<const llvm::Value*> operands;
  for (unsigned n = 0; n < valuesOf(*op); ++n) operands.push_back(intrinsic.getArgOperand(n));
  eachPiece(*op, intrinsic, operands);
  return true;
}

/// A small constant number of bytes is copied or set in place, by 8 bytes where the alignment
/// allows; the rest is a call.
void Translator::translateMemory(llvm::MemIntrinsic& memory) {
  constexpr std::uint64_t kInlineBytes = 128;  // assumed: LLVM's limit of 8 to 16 stores
  const auto* const length = llvm::dyn_cast<llvm::ConstantInt>(memory.getLength());
  auto* const transfer = llvm::dyn_cast<llvm::MemTransferInst>(&memory);
  const std::uint64_t bytes = length == nullptr ? kInlineBytes + 1 : length->getZExtValue();
  std::uint64_t alignment = memory.getDestAlign().valueOrOne().value();
  if (transfer != nullptr) {
    alignment = std::min(alignment, transfer->getSourceAlign().valueOrOne().value());
  }
  if (bytes > kInlineBytes || bytes % 4 != 0 || alignment < 4) {
    emitCall(transfer == nullptr ? "memset" : "memcpy", memory,
             {memory.getArgOperand(0), memory.getArgOperand(1), memory.getArgOperand(2)});
    return;
  }
  const Operand to = operandsOf(*memory.getRawDest())[0];
  const bool is_wide = alignment >= 8;
  for (std::uint64_t at = 0; at < bytes;) {
    const Type type = is_wide && bytes - at >= 8 ? Type::V2F32 : Type::F32;
    const Operand place = make(Op::Offset, Type::Pointer, {to, Operand::constant(at)}, 1);
    Operand value = Operand::constant(0);
    if (transfer != nullptr) {
      const Operand from =
          make(Op::Offset, Type::Pointer,
               {operandsOf(*transfer->getRawSource())[0], Operand::constant(at)}, 1);
      value = make(Op::Load, type, {from});
      to_.function.blocks[block_].operations.back().alignment = tile_compiler::bytesOf(type);
    }
    append(Op::Store, type, {value, place}).alignment = tile_compiler::bytesOf(type);
    at += tile_compiler::bytesOf(type);
  }
}

}  // namespace ipusim::codelets
