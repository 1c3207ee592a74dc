// SPDX-License-Identifier: Apache-2.0
#include "sim/codelets/count/optimise.h"

#include <llvm/IR/Module.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopStrengthReduce.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

#include "sim/codelets/count/tile_target.h"

namespace ipusim::codelets {
namespace {

llvm::PipelineTuningOptions tuning(const CountOptions& options) {
  llvm::PipelineTuningOptions tuning;
  const bool vectorises = options.vectorise == Vectorise::On;
  tuning.LoopVectorization = vectorises;
  tuning.SLPVectorization = vectorises;
  tuning.LoopInterleaving = false;
  return tuning;
}

llvm::OptimizationLevel levelOf(OptimisationLevel level) {
  switch (level) {
    case OptimisationLevel::O1:
      return llvm::OptimizationLevel::O1;
    case OptimisationLevel::O2:
      return llvm::OptimizationLevel::O2;
    default:
      return llvm::OptimizationLevel::O3;
  }
}

/// The tile computes integers of 32 bits only. What follows on this computer knows better.
class NarrowIntegers {
 public:
  explicit NarrowIntegers(llvm::Module& module)
      : module_(module), layout_(module.getDataLayoutStr()) {
    std::string narrow = layout_;
    constexpr std::string_view kNative = "-n8:16:32:64";
    const auto at = narrow.find(kNative);
    if (at != std::string::npos) narrow.replace(at, kNative.size(), "-n32");
    module.setDataLayout(narrow);
  }
  NarrowIntegers(const NarrowIntegers&) = delete;
  NarrowIntegers& operator=(const NarrowIntegers&) = delete;
  ~NarrowIntegers() { module_.setDataLayout(layout_); }

 private:
  llvm::Module& module_;
  std::string layout_;
};

}  // namespace

TileOptimiser::TileOptimiser(const CountOptions& options)
    : options_(options), builder_(nullptr, tuning(options)) {
  functions_.registerPass([] { return tileAnalysis(); });
  builder_.registerModuleAnalyses(modules_);
  builder_.registerCGSCCAnalyses(graphs_);
  builder_.registerFunctionAnalyses(functions_);
  builder_.registerLoopAnalyses(loops_);
  builder_.crossRegisterProxies(loops_, functions_, graphs_, modules_);
}

void TileOptimiser::run(llvm::Module& module) {
  const NarrowIntegers narrow(module);
  llvm::FunctionPassManager loops;
  loops.addPass(llvm::LowerSwitchPass());
  if (options_.level != OptimisationLevel::O0) {
    builder_.buildPerModuleDefaultPipeline(levelOf(options_.level)).run(module, modules_);
    loops.addPass(llvm::createFunctionToLoopPassAdaptor(llvm::LoopStrengthReducePass()));
    loops.addPass(llvm::DCEPass());
  }
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    const llvm::PreservedAnalyses kept = loops.run(function, functions_);
    functions_.invalidate(function, kept);
  }
}

}  // namespace ipusim::codelets
