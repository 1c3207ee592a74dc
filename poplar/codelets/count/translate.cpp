// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/count/translate.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/DebugInfoMetadata.h>

#include <utility>

#include "poplar/codelets/count/alias_classes.h"
#include "poplar/codelets/count/pieces.h"
#include "poplar/codelets/count/translator.h"
#include "poplar/tile_compiler/dead_code.h"

namespace ipusim::codelets {

Translator::Translator(llvm::Function& function, TileOptimiser& optimiser, const LoopMap& loops,
                       Places& places)
    : from_(function), optimiser_(optimiser), loops_(loops), places_(places) {}

Translated Translator::run() {
  to_.function.name = from_.getName().str();
  numberBlocks();
  numberValues();
  for (llvm::BasicBlock* const block : to_.blocks) translateBlock(*block);
  fillPhis();
  tile_compiler::removeDeadCode(to_.function);
  return std::move(to_);
}

void Translator::numberBlocks() {
  auto& loops = optimiser_.functions().getResult<llvm::LoopAnalysis>(from_);
  const llvm::ReversePostOrderTraversal<llvm::Function*> order(&from_);
  for (llvm::BasicBlock* const block : order) {
    numbers_[block] = static_cast<tile_compiler::BlockId>(to_.blocks.size());
    to_.blocks.push_back(block);
  }
  for (llvm::BasicBlock* const block : to_.blocks) {
    tile_compiler::BasicBlock translated;
    translated.name = block->getName().str();
    if (const llvm::Loop* const loop = loops.getLoopFor(block)) {
      translated.loop_depth = loop->getLoopDepth();
      if (llvm::BasicBlock* const preheader = loop->getLoopPreheader()) {
        translated.preheader = numbers_.lookup(preheader);
      }
    }
    to_.function.blocks.push_back(std::move(translated));
  }
}

void Translator::numberValues() {
  const std::vector<Type> result = piecesOf(from_.getReturnType());
  to_.function.result = result.empty() ? Type::Void : result[0];
  for (llvm::Argument& argument : from_.args()) {
    for (const Type type : piecesOf(argument.getType())) {
      const tile_compiler::ValueId id = newValue(type);
      if (argument.hasAttribute(llvm::Attribute::ZExt)) {
        to_.function.values[id].extension = tile_compiler::Extension::Zero;
      }
      if (argument.hasAttribute(llvm::Attribute::SExt)) {
        to_.function.values[id].extension = tile_compiler::Extension::Sign;
      }
      to_.function.parameters.push_back(id);
      values_[&argument].push_back(id);
    }
  }
  for (llvm::BasicBlock* const block : to_.blocks) {
    for (llvm::Instruction& instruction : *block) {
      for (const Type type : piecesOf(instruction.getType())) {
        const tile_compiler::ValueId id = newValue(type);  // before the map, which may move
        values_[&instruction].push_back(id);
      }
    }
  }
}

void Translator::translateBlock(llvm::BasicBlock& block) {
  block_ = numbers_.lookup(&block);
  alias_classes_ = aliasClassesOf(block, optimiser_.functions().getResult<llvm::AAManager>(from_));
  for (llvm::Instruction& instruction : block) {
    const llvm::DebugLoc& place = instruction.getDebugLoc();
    line_ = place ? places_.number(place->getFilename().str(), place.getLine()) : 0;
    if (instruction.isTerminator()) {
      for (const auto& entry : loops_) {
        if (entry.second.preheader == &block) addLoopEntry(entry.second);
      }
      translateEnd(instruction);
    } else {
      translate(instruction);
    }
  }
}

void Translator::addLoopEntry(const CountedLoop& loop) {
  const tile_compiler::ValueId counter = newValue(Type::I32);
  counters_[loop.header] = counter;
  const std::vector<Operand> trips = operandsOf(*loop.trips);
  Operation& entry = append(Op::LoopEntry, Type::I32, {trips[0]});
  entry.result = counter;
  entry.loop = loop.form;
}

void Translator::translateEnd(llvm::Instruction& end) {
  const auto number = [&](const llvm::BasicBlock* block) { return numbers_.lookup(block); };
  const auto loop = loops_.find(end.getParent());
  if (loop != loops_.end()) {
    const auto* const branch = llvm::cast<llvm::BranchInst>(&end);
    const bool loops_first = branch->getSuccessor(0) == loop->second.header;
    Operation& closing =
        append(Op::LoopBranch, Type::Void, {Operand::of(counters_.lookup(loop->second.header))});
    closing.loop = loop->second.form;
    closing.blocks = {number(loop->second.header),
                      number(branch->getSuccessor(loops_first ? 1 : 0))};
  } else if (auto* const branch = llvm::dyn_cast<llvm::BranchInst>(&end)) {
    if (!branch->isConditional()) {
      append(Op::Branch, Type::Void, {}).blocks = {number(branch->getSuccessor(0))};
      return;
    }
    const std::vector<Operand> condition = operandsOf(*branch->getCondition());
    append(Op::CondBranch, Type::Void, {condition[0]}).blocks = {number(branch->getSuccessor(0)),
                                                                 number(branch->getSuccessor(1))};
  } else {
    std::vector<Operand> results;
    const bool returns = llvm::isa<llvm::ReturnInst>(end) && end.getNumOperands() > 0;
    if (returns) results = operandsOf(*end.getOperand(0));
    append(Op::Return, Type::Void, results);
  }
}

void Translator::fillPhis() {
  for (llvm::BasicBlock* const block : to_.blocks) {
    std::vector<Operation> phis;
    for (llvm::PHINode& phi : block->phis()) {
      const std::vector<Type> types = typesOf(phi);
      for (std::size_t piece = 0; piece < types.size(); ++piece) {
        Operation operation;
        operation.op = Op::Phi;
        operation.type = types[piece];
        operation.result = values_[&phi][piece];
        for (unsigned n = 0; n < phi.getNumIncomingValues(); ++n) {
          if (numbers_.count(phi.getIncomingBlock(n)) == 0) continue;
          operation.operands.push_back(operandsOf(*phi.getIncomingValue(n))[piece]);
          operation.blocks.push_back(numbers_.lookup(phi.getIncomingBlock(n)));
        }
        phis.push_back(std::move(operation));
      }
    }
    auto& operations = to_.function.blocks[numbers_.lookup(block)].operations;
    operations.insert(operations.begin(), phis.begin(), phis.end());
  }
}

void Translator::translate(llvm::Instruction& instruction) {
  if (llvm::isa<llvm::PHINode>(instruction) || translateArithmetic(instruction)) return;
  if (auto* cast = llvm::dyn_cast<llvm::CastInst>(&instruction)) {
    translateCast(*cast);
  } else if (auto* compare = llvm::dyn_cast<llvm::CmpInst>(&instruction)) {
    translateCompare(*compare);
  } else if (auto* select = llvm::dyn_cast<llvm::SelectInst>(&instruction)) {
    translateSelect(*select);
  } else if (auto* offset = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
    translateOffset(*llvm::cast<llvm::GEPOperator>(offset), *offset);
  } else if (auto* alloca = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
    translateAlloca(*alloca);
  } else if (auto* extract = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction)) {
    translateExtract(*extract);
  } else if (auto* insert = llvm::dyn_cast<llvm::InsertElementInst>(&instruction)) {
    translateInsert(*insert);
  } else if (auto* shuffle = llvm::dyn_cast<llvm::ShuffleVectorInst>(&instruction)) {
    translateShuffle(*shuffle);
  } else if (auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction)) {
    translateCall(*call);
  } else if (instruction.isAtomic() || llvm::isa<llvm::LoadInst, llvm::StoreInst>(instruction)) {
    translateAccess(instruction);
  } else if (instruction.getNumOperands() > 0) {
    // What is left moves values between pieces: fields of structs, frozen values.
    const std::vector<Operand> operands = operandsOf(*instruction.getOperand(0));
    const std::size_t pieces = typesOf(instruction).size();
    for (std::size_t piece = 0; piece < pieces && !operands.empty(); ++piece) {
      rename(instruction, piece, operands[std::min(piece, operands.size() - 1)]);
    }
  }
}

// ---- pieces

tile_compiler::ValueId Translator::newValue(Type type) {
  to_.function.values.push_back({type, tile_compiler::Extension::None});
  return static_cast<tile_compiler::ValueId>(to_.function.values.size() - 1);
}

std::vector<tile_compiler::Type> Translator::typesOf(const llvm::Value& value) const {
  return piecesOf(value.getType());
}

std::uint64_t Translator::addressNumber(const llvm::Value& global) {
  return addresses_.try_emplace(&global, addresses_.size() + 1).first->second;
}

std::vector<tile_compiler::Operand> Translator::operandsOf(const llvm::Value& value) {
  std::vector<Operand> operands;
  const auto known = values_.find(&value);
  if (known != values_.end()) {
    for (const tile_compiler::ValueId id : known->second) operands.push_back(Operand::of(id));
    return operands;
  }
  const auto* const constant = llvm::dyn_cast<llvm::Constant>(&value);
  if (constant == nullptr) return {Operand::constant(0)};
  const bool is_address = llvm::isa<llvm::GlobalValue, llvm::ConstantExpr>(constant);
  if (is_address) return {Operand::address(addressNumber(value))};
  for (const std::uint64_t bits : bitsOf(constant)) operands.push_back(Operand::constant(bits));
  return operands;
}

tile_compiler::Operation& Translator::append(Op op, Type type, std::vector<Operand> operands) {
  Operation operation;
  operation.op = op;
  operation.type = type;
  operation.operands = std::move(operands);
  operation.line = line_;
  auto& operations = to_.function.blocks[block_].operations;
  operations.push_back(std::move(operation));
  return operations.back();
}

tile_compiler::Operation& Translator::define(Op op, const llvm::Value& value, std::size_t piece,
                                             std::vector<Operand> operands) {
  Operation& operation = append(op, typesOf(value)[piece], std::move(operands));
  operation.result = values_[&value][piece];
  return operation;
}

tile_compiler::Operand Translator::make(Op op, Type type, std::vector<Operand> operands,
                                        std::int64_t immediate) {
  const tile_compiler::ValueId id = newValue(type);
  Operation& operation = append(op, type, std::move(operands));
  operation.result = id;
  operation.immediate = immediate;
  return Operand::of(id);
}

void Translator::eachPiece(Op op, const llvm::Value& result,
                           const std::vector<const llvm::Value*>& from) {
  std::vector<std::vector<Operand>> operands;
  operands.reserve(from.size());
  for (const llvm::Value* const value : from) operands.push_back(operandsOf(*value));
  for (std::size_t piece = 0; piece < typesOf(result).size(); ++piece) {
    std::vector<Operand> inputs;
    for (const auto& pieces : operands)
      inputs.push_back(pieces[std::min(piece, pieces.size() - 1)]);
    define(op, result, piece, inputs);
  }
}

void Translator::rename(const llvm::Value& value, std::size_t piece, const Operand& operand) {
  define(Op::BitCast, value, piece, {operand});
}

Translated translate(llvm::Function& function, TileOptimiser& optimiser,
                     const llvm::DenseMap<const llvm::BasicBlock*, CountedLoop>& loops,
                     Places& places) {
  return Translator(function, optimiser, loops, places).run();
}

}  // namespace ipusim::codelets
