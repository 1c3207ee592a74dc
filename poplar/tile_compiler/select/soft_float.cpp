// SPDX-License-Identifier: Apache-2.0
#include "poplar/tile_compiler/select/soft_float.h"

#include <algorithm>
#include <utility>

#include "poplar/tile_compiler/flops.h"

namespace ipusim::tile_compiler {
namespace {

Type wholeOf(Type type) {
  switch (type) {
    case Type::F16:
      return Type::I16;
    case Type::F32:
      return Type::I32;
    case Type::V2F16:
      return Type::V2I16;
    case Type::V4F16:
      return Type::V4I16;
    case Type::V2F32:
      return Type::V2I32;
    default:
      return type;
  }
}

bool isRoutine(Op op) {
  switch (op) {
    case Op::FNeg:
    case Op::FAbs:
    case Op::CopySign:
      return false;
    case Op::FCmp:
    case Op::FPExt:
    case Op::FPTrunc:
    case Op::IntToFloat:
    case Op::FloatToInt:
      return true;
    default:
      return op >= Op::FAdd && op <= Op::MulAdd;
  }
}

unsigned bitsOfElement(Type type) {
  return 8 * bytesOf(elementOf(type));
}

unsigned elementsOf(Type type) {
  return isVector(type) ? 8 * bytesOf(type) / bitsOfElement(type) : 1;
}

/// The sign of each element of a type.
std::uint64_t signsOf(Type type) {
  const unsigned width = bitsOfElement(type);
  std::uint64_t signs = 0;
  for (unsigned n = 0; n < elementsOf(type); ++n) signs |= 1ULL << (n * width + width - 1);
  return signs;
}

class SoftFloatLowering {
 public:
  explicit SoftFloatLowering(Function& function) : function_(function), before_(function.values) {
    for (Value& value : function.values) value.type = wholeOf(value.type);
    function.result = wholeOf(function.result);
  }

  std::vector<SoftCall> run() {
    for (block_ = 0; block_ < function_.blocks.size(); ++block_) {
      std::vector<Operation> old = std::move(function_.blocks[block_].operations);
      out_.clear();
      for (Operation& operation : old) rewrite(std::move(operation));
      function_.blocks[block_].operations = std::move(out_);
    }
    return std::move(calls_);
  }

 private:
  [[nodiscard]] Type typeBefore(const Operand& operand, Type of_constant) const {
    return operand.isValue() && operand.value < before_.size() ? before_[operand.value].type
                                                               : of_constant;
  }

  /// The type that an operation computes with: of a comparison, that of its operands.
  [[nodiscard]] Type computedType(const Operation& operation) const {
    if (operation.op != Op::FCmp) return operation.type;
    const Type first = typeBefore(operation.operands[0], Type::Void);
    return first == Type::Void ? typeBefore(operation.operands[1], Type::F32) : first;
  }

  [[nodiscard]] bool hasDouble(const Operation& operation) const {
    return operation.type == Type::F64 ||
           std::any_of(operation.operands.begin(), operation.operands.end(),
                       [&](const Operand& operand) {
                         return typeBefore(operand, Type::Void) == Type::F64;
                       });
  }

  void rewrite(Operation operation) {
    line_ = operation.line;
    if (operation.loop == LoopForm::Repeat) operation.loop = LoopForm::CountDown;
    if (hasDouble(operation)) {
      out_.push_back(std::move(operation));
    } else if (isRoutine(operation.op)) {
      callRoutine(operation);
    } else {
      useBits(operation);
      operation.type = wholeOf(operation.type);
      for (Type& type : operation.argument_types) type = wholeOf(type);
      out_.push_back(std::move(operation));
    }
  }

  /// Changes of signs and bits are those of whole numbers.
  void useBits(Operation& operation) {
    const Type type = operation.type;
    if (operation.op == Op::FNeg) {
      operation.op = Op::Xor;
      operation.operands.push_back(Operand::constant(signsOf(type)));
    } else if (operation.op == Op::FAbs) {
      operation.op = Op::And;
      operation.operands.push_back(maskOf(type));
    } else if (operation.op == Op::FloatBitsAnd) {
      operation.op = Op::And;
    } else if (operation.op == Op::FloatBitsOr) {
      operation.op = Op::Or;
    } else if (operation.op == Op::FloatBitsAndNot) {
      operation.op = Op::And;
      operation.operands[1] =
          operation.operands[1].isConstant()
              ? Operand::constant(~operation.operands[1].bits)
              : made(Op::Xor, wholeOf(type), {operation.operands[1], Operand::constant(~0ULL)});
    } else if (operation.op == Op::CopySign) {
      const Type whole = wholeOf(type);
      const Operand size = made(Op::And, whole, {operation.operands[0], maskOf(type)});
      const Operand sign =
          made(Op::And, whole, {operation.operands[1], Operand::constant(signsOf(type))});
      operation.op = Op::Or;
      operation.operands = {size, sign};
    }
  }

  static Operand maskOf(Type type) { return Operand::constant(~signsOf(type)); }

  void callRoutine(const Operation& operation) {
    const Type type = computedType(operation);
    const unsigned elements = std::max(elementsOf(type), elementsOf(operation.type));
    if (elements == 1) {
      callElement(operation, type, 0, operation.result);
      return;
    }
    std::vector<Operand> results;
    for (unsigned n = 0; n < elements; ++n) {
      results.push_back(callElement(operation, type, n, std::nullopt));
    }
    if (!operation.result) return;
    Operation build;
    build.op = Op::Build;
    build.type = wholeOf(operation.type);
    build.result = operation.result;
    build.operands = results;
    build.line = operation.line;
    out_.push_back(std::move(build));
  }

  /// The call for one element. Without a result named, its result is new.
  Operand callElement(const Operation& operation, Type type, unsigned element,
                      std::optional<ValueId> result) {
    Operation call;
    call.op = Op::Call;
    call.callee = "soft float";
    call.line = line_;
    const bool compares = operation.op == Op::FCmp;
    call.type = compares ? Type::I32 : wholeOf(elementOf(operation.type));
    for (const Operand& operand : operation.operands) {
      const Type argument = typeBefore(operand, type);
      call.operands.push_back(elementOfOperand(operand, argument, element));
      call.argument_types.push_back(wholeOf(elementOf(argument)));
    }
    call.result = result && !compares ? *result : newValue(call.type);
    const Operand answer = Operand::of(*call.result);
    out_.push_back(std::move(call));
    calls_.push_back({block_, line_, flopsOf(operation) / elementsOf(operation.type)});
    if (!compares || !result) return answer;
    Operation test;
    test.op = Op::ICmp;
    test.type = operation.type;
    test.predicate = Predicate::SLt;
    test.result = result;
    test.operands = {answer, Operand::constant(0)};
    test.line = line_;
    out_.push_back(std::move(test));
    return Operand::of(*result);
  }

  Operand elementOfOperand(const Operand& operand, Type type, unsigned element) {
    if (!isVector(type)) return operand;
    const unsigned width = bitsOfElement(type);
    if (operand.isConstant()) {
      return Operand::constant((operand.bits >> (element * width)) & ((1ULL << width) - 1));
    }
    return made(Op::Element, wholeOf(elementOf(type)), {operand}, element);
  }

  Operand made(Op op, Type type, std::vector<Operand> operands, std::int64_t immediate = 0) {
    Operation operation;
    operation.op = op;
    operation.type = type;
    operation.result = newValue(type);
    operation.operands = std::move(operands);
    operation.immediate = immediate;
    operation.line = line_;
    const ValueId id = *operation.result;
    out_.push_back(std::move(operation));
    return Operand::of(id);
  }

  ValueId newValue(Type type) {
    function_.values.push_back({type, Extension::None});
    return static_cast<ValueId>(function_.values.size() - 1);
  }

  Function& function_;
  std::vector<Value> before_;  // with floats
  std::vector<Operation> out_;
  std::vector<SoftCall> calls_;
  BlockId block_ = 0;
  std::uint32_t line_ = 0;
};

}  // namespace

std::vector<SoftCall> useSoftFloats(Function& function) {
  return SoftFloatLowering(function).run();
}

}  // namespace ipusim::tile_compiler
