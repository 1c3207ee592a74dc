// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poplar/codelets/count/translate.h"

// Private to the translation.

namespace ipusim::codelets {

/// Translates one function, block by block.
class Translator {
 public:
  using Op = tile_compiler::Op;
  using Type = tile_compiler::Type;
  using Operand = tile_compiler::Operand;
  using Operation = tile_compiler::Operation;
  using LoopMap = llvm::DenseMap<const llvm::BasicBlock*, CountedLoop>;

  Translator(llvm::Function& function, TileOptimiser& optimiser, const LoopMap& loops,
             Places& places);
  Translated run();

 private:
  // translate.cpp: blocks and their ends
  void numberBlocks();
  void numberValues();
  void translateBlock(llvm::BasicBlock& block);
  void translateEnd(llvm::Instruction& end);
  void addLoopEntry(const CountedLoop& loop);
  void fillPhis();
  void translate(llvm::Instruction& instruction);

  // translate_values.cpp: arithmetic, conversions, memory
  bool translateArithmetic(llvm::Instruction& instruction);
  void translateCast(llvm::CastInst& cast);
  void translateCompare(llvm::CmpInst& compare);
  void translateSelect(llvm::SelectInst& select);
  void translateOffset(llvm::GEPOperator& offset, const llvm::Value& result);
  void translateAccess(llvm::Instruction& access);
  void translateAlloca(llvm::AllocaInst& alloca);

  // translate_vectors.cpp
  void translateExtract(llvm::ExtractElementInst& extract);
  void translateInsert(llvm::InsertElementInst& insert);
  void translateShuffle(llvm::ShuffleVectorInst& shuffle);
  bool buildWhole(llvm::InsertElementInst& insert);
  void buildPieces(const llvm::Value& result, const std::vector<Operand>& elements);
  Operand elementOperand(const llvm::Value& vector, unsigned element);

  // translate_calls.cpp
  void translateCall(llvm::CallInst& call);
  bool translateIntrinsic(llvm::IntrinsicInst& intrinsic);
  void translateMemory(llvm::MemIntrinsic& memory);
  void emitCall(std::string callee, const llvm::Value& result,
                const std::vector<llvm::Value*>& arguments);

  // Pieces: the values of the tile that a value of LLVM becomes.
  std::vector<Operand> operandsOf(const llvm::Value& value);
  [[nodiscard]] std::vector<Type> typesOf(const llvm::Value& value) const;
  tile_compiler::ValueId newValue(Type type);
  /// Appends an operation without a result.
  Operation& append(Op op, Type type, std::vector<Operand> operands);
  /// Appends an operation whose result is a piece of `value`.
  Operation& define(Op op, const llvm::Value& value, std::size_t piece,
                    std::vector<Operand> operands);
  /// Appends an operation with a result of its own.
  Operand make(Op op, Type type, std::vector<Operand> operands, std::int64_t immediate = 0);
  /// One operation for each piece of the result, on the pieces of the operands.
  void eachPiece(Op op, const llvm::Value& result, const std::vector<const llvm::Value*>& from);
  /// A piece of `value` is the operand itself.
  void rename(const llvm::Value& value, std::size_t piece, const Operand& operand);
  [[nodiscard]] std::uint64_t addressNumber(const llvm::Value& global);

  llvm::Function& from_;
  TileOptimiser& optimiser_;
  const LoopMap& loops_;
  Places& places_;
  Translated to_;
  llvm::DenseMap<const llvm::BasicBlock*, tile_compiler::BlockId> numbers_;
  llvm::DenseMap<const llvm::Value*, std::vector<tile_compiler::ValueId>> values_;
  llvm::DenseMap<const llvm::Value*, std::uint64_t> addresses_;
  llvm::DenseMap<const llvm::BasicBlock*, tile_compiler::ValueId> counters_;  // by header
  llvm::DenseMap<const llvm::Instruction*, unsigned> alias_classes_;
  tile_compiler::BlockId block_ = 0;
  std::uint32_t line_ = 0;
};

}  // namespace ipusim::codelets
