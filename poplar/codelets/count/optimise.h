// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <llvm/Analysis/CGSCCPassManager.h>
#include <llvm/Analysis/LoopAnalysisManager.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>

#include "poplar/codelets/count/count.h"

namespace ipusim::codelets {

/// LLVM's optimiser, which sees the tile as its target, and its knowledge of the code.
class TileOptimiser {
 public:
  explicit TileOptimiser(const CountOptions& options);

  /// The standard passes of the level, then those that prepare loops for the tile's addresses.
  /// Level O0 is left as it is.
  void run(llvm::Module& module);

  [[nodiscard]] llvm::FunctionAnalysisManager& functions() { return functions_; }

 private:
  CountOptions options_;
  llvm::LoopAnalysisManager loops_;
  llvm::FunctionAnalysisManager functions_;
  llvm::CGSCCAnalysisManager graphs_;
  llvm::ModuleAnalysisManager modules_;
  llvm::PassBuilder builder_;
};

}  // namespace ipusim::codelets
