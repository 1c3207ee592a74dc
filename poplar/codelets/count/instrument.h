// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <utility>
#include <vector>

namespace ipusim::codelets {

/// Which of the two values of a select is counted.
enum class Counts : std::uint8_t { True, False };

/// Writes counters into code: entry n of an array of 64-bit numbers grows by what is counted.
class Instrumenter {
 public:
  explicit Instrumenter(llvm::Module& module);

  /// Counts passes of a block.
  void countBlock(llvm::BasicBlock& block, std::size_t counter);
  /// Counts how often the place in front of an instruction is passed.
  void countBefore(llvm::Instruction& instruction, std::size_t counter);
  /// Counts how often a condition holds, or fails, where `after` is executed.
  void countCondition(llvm::Value& condition, llvm::Instruction& after, Counts counts,
                      std::size_t counter);
  /// Counts the bits of a quotient: what the shifts of a division take.
  void countQuotientBits(llvm::BinaryOperator& division, std::size_t counter);
  /// Counts the stores of half words at even places.
  void countEvenHalfWords(llvm::StoreInst& store, std::size_t counter);

  /// Gives the array its size, and takes back what the code promised about memory.
  void finish(std::size_t counters);

 private:
  void add(llvm::Instruction& before, std::size_t counter, llvm::Value* amount);

  llvm::Module& module_;
  llvm::GlobalVariable* counts_;  // stands for the array until its size is known
};

}  // namespace ipusim::codelets
