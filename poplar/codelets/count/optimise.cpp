// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/count/optimise.h"

#include <llvm/IR/Module.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/ModRef.h>
#include <llvm/Transforms/Scalar/DCE.h>
#include <llvm/Transforms/Scalar/LoopPassManager.h>
#include <llvm/Transforms/Scalar/LoopStrengthReduce.h>
#include <llvm/Transforms/Utils/LowerSwitch.h>

#include "poplar/codelets/count/tile_target.h"
#include "poplar/codelets/count/translate.h"

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

/// Before version 15 the vectoriser gave loops up that need more than eight tests of overlapping.
void limitOverlapTests() {
  static const bool done = [] {
    auto& options = llvm::cl::getRegisteredOptions();
    const auto found = options.find("vectorize-memory-check-threshold");
    constexpr unsigned kTests = 8;
    if (found != options.end()) {
      static_cast<llvm::cl::opt<unsigned>*>(found->second)->setValue(kTests);
    }
    return true;
  }();
  static_cast<void>(done);
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

/// An instruction of the tile, such as a look at a register, touches no memory of the program. That
/// of the simulator keeps the order of such instructions.
void setEffectsOfInstructions(llvm::Module& module) {
  for (llvm::Function& function : module) {
    const bool is_instruction =
        function.isDeclaration() && isOneInstruction(function.getName().str());
    if (is_instruction) function.setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  }
}

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
  limitOverlapTests();
  setEffectsOfInstructions(module);
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
