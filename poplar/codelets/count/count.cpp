// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/count/count.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/Analysis/InlineCost.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <algorithm>
#include <map>
#include <utility>

#include "poplar/codelets/count/instrument.h"
#include "poplar/codelets/count/optimise.h"
#include "poplar/codelets/count/translate.h"
#include "poplar/tile_compiler/machine_facts.h"
#include "poplar/tile_compiler/select/soft_float.h"

namespace ipusim::codelets {
namespace {

/// Counts the blocks of one module.
class ModuleCounter {
 public:
  ModuleCounter(llvm::Module& module, const CountOptions& options)
      : module_(module), options_(options), optimiser_(options), instrumenter_(module) {}

  CountedModule run() {
    optimiser_.run(module_);
    std::vector<llvm::Function*> functions;
    for (llvm::Function& function : module_) {
      if (!function.isDeclaration()) functions.push_back(&function);
    }
    for (llvm::Function* const function : functions) countFunction(*function);
    instrumenter_.finish(counted_.counters.size());
    return std::move(counted_);
  }

 private:
  void countFunction(llvm::Function& function) {
    const auto loops = findCountedLoops(function, optimiser_);
    Translated from = prepared(function, loops);
    tile_compiler::TileCompiler compiler = options_.compiler;
    std::vector<tile_compiler::SoftCall> soft;
    if (isSupervisor(function)) {
      compiler.co_issue = tile_compiler::CoIssue::Alone;
      soft = tile_compiler::useSoftFloats(from.function);
    }
    const tile_compiler::CompiledFunction compiled =
        tile_compiler::compileForTile(from.function, compiler);
    counted_.functions.push_back(
        {function.getName().str(), compiled.code, compiled.stack, from.callees});
    // The code is counted before it is changed, so that places stay what they are.
    std::vector<std::vector<llvm::Instruction*>> contents;
    for (llvm::BasicBlock* const block : from.blocks) {
      contents.emplace_back();
      for (llvm::Instruction& instruction : *block) contents.back().push_back(&instruction);
    }
    countBlocksOf(function, from, compiled, soft);
    for (const auto& block : contents) {
      for (llvm::Instruction* const instruction : block) countRoutine(function, *instruction);
    }
  }

  static bool isAmong(const std::vector<std::string>& symbols, const llvm::Function& function) {
    return std::find(symbols.begin(), symbols.end(), function.getName().str()) != symbols.end();
  }
  [[nodiscard]] bool isSupervisor(const llvm::Function& function) const {
    return isAmong(options_.supervisors, function);
  }

  /// The function in the tile's form. The entry of a vertex has the caller's convention where the
  /// compiler would put it into the caller.
  Translated prepared(llvm::Function& function,
                      const llvm::DenseMap<const llvm::BasicBlock*, CountedLoop>& loops) {
    const bool is_entry = isAmong(options_.entries, function);
    const bool is_inlined = is_entry && isSmall(function);
    Translated from = translate(function, optimiser_, loops, places_);
    if (is_inlined) from.function.convention = tile_compiler::Convention::Vertex;
    if (is_entry && !is_inlined)
      stub_of_[&function] += tile_compiler::Slots(tile_compiler::kVertexStubMain);
    // A vertex of all workers gets the number of its own.
    if (is_entry && function.arg_size() > 1) {
      stub_of_[&function] += tile_compiler::Slots(tile_compiler::kWorkerNumberMain);
    }
    return from;
  }

  /// True where the optimiser would put the function into its only caller.
  bool isSmall(llvm::Function& function) {
    if (options_.level == OptimisationLevel::O0) return false;
    llvm::Function* const stub = llvm::Function::Create(
        function.getFunctionType(), llvm::GlobalValue::ExternalLinkage, "ipusim_stub", module_);
    llvm::IRBuilder<> build(llvm::BasicBlock::Create(module_.getContext(), "", stub));
    std::vector<llvm::Value*> arguments;
    for (llvm::Argument& argument : stub->args()) arguments.push_back(&argument);
    llvm::CallInst* const call = build.CreateCall(&function, arguments);
    build.CreateUnreachable();
    auto& functions = optimiser_.functions();
    const auto cost =
        llvm::getInliningCostEstimate(*call, functions.getResult<llvm::TargetIRAnalysis>(function),
                                      [&](llvm::Function& each) -> llvm::AssumptionCache& {
                                        return functions.getResult<llvm::AssumptionAnalysis>(each);
                                      });
    const int threshold =
        llvm::getInlineParams(static_cast<unsigned>(options_.level), 0).DefaultThreshold;
    const bool is_small = cost && *cost < threshold;
    functions.clear(*stub, stub->getName());
    stub->eraseFromParent();
    return is_small;
  }

  void countBlocksOf(llvm::Function& function, const Translated& from,
                     const tile_compiler::CompiledFunction& compiled,
                     const std::vector<tile_compiler::SoftCall>& soft) {
    std::map<tile_compiler::BlockId, Counter> whole;
    for (const tile_compiler::CompiledBlock& block : compiled.blocks) {
      if (block.role == tile_compiler::Role::Whole) {
        addSlots(whole[block.source], block);
        continue;
      }
      Counter side;
      side.function = function.getName().str();
      addSlots(side, block);
      countSide(from, block, std::move(side));
    }
    for (const tile_compiler::SoftCall& call : soft) {
      Counter& counter = whole[call.block];
      counter.slots += tile_compiler::Slots(tile_compiler::kSlotsSoftFloat);
      counter.work.flops += Flops(call.flops);
      addLine(counter, call.line, tile_compiler::Slots(tile_compiler::kSlotsSoftFloat));
    }
    for (auto& [block, counter] : whole) {
      counter.function = function.getName().str();
      if (block == 0 && stub_of_.count(&function) != 0) counter.slots += stub_of_[&function];
      if (counter.slots == tile_compiler::Slots(0)) continue;
      instrumenter_.countBlock(*from.blocks[block], counted_.counters.size());
      counted_.counters.push_back(std::move(counter));
    }
  }

  void countSide(const Translated& from, const tile_compiler::CompiledBlock& block, Counter side) {
    llvm::Value* const condition =
        block.condition ? from.conditions.lookup(*block.condition) : nullptr;
    if (condition == nullptr) return;
    auto* after = llvm::dyn_cast<llvm::Instruction>(condition);
    // The condition may be made earlier than the select is passed; the select's block decides.
    llvm::BasicBlock& place = *from.blocks[block.source];
    if (after == nullptr || after->getParent() != &place) after = &*place.getFirstInsertionPt();
    if (after->isTerminator()) return;
    instrumenter_.countCondition(
        *condition, *after,
        block.role == tile_compiler::Role::IfTrue ? Counts::True : Counts::False,
        counted_.counters.size());
    counted_.counters.push_back(std::move(side));
  }

  void addSlots(Counter& counter, const tile_compiler::CompiledBlock& block) {
    counter.slots += block.slots;
    counter.work += block.work;
    for (const tile_compiler::LineSlots& share : block.lines)
      addLine(counter, share.line, share.slots);
  }

  void addLine(Counter& counter, std::uint32_t place, tile_compiler::Slots slots) {
    LineShare share{"", 0, slots};
    if (place != 0) std::tie(share.file, share.line) = places_.at(place);
    const auto same =
        std::find_if(counter.lines.begin(), counter.lines.end(), [&](const LineShare& other) {
          return other.line == share.line && other.file == share.file;
        });
    if (same != counter.lines.end()) {
      same->slots += slots;
    } else {
      counter.lines.push_back(std::move(share));
    }
  }

  /// Counts what a routine of the tile's library takes, the part that depends on data by itself.
  void countRoutine(const llvm::Function& function, llvm::Instruction& instruction) {
    const auto begin = [&](unsigned slots, const tile_compiler::Work& work = {}) {
      Counter counter;
      counter.work = work;
      counter.function = function.getName().str();
      counter.slots = tile_compiler::Slots(slots);
      const llvm::DebugLoc& place = instruction.getDebugLoc();
      addLine(counter, place ? places_.number(place->getFilename().str(), place.getLine()) : 0,
              counter.slots);
      counted_.counters.push_back(std::move(counter));
      return counted_.counters.size() - 1;
    };
    if (instruction.isIntDivRem() && !instruction.getType()->isVectorTy() &&
        !llvm::isa<llvm::Constant>(instruction.getOperand(1))) {
      auto& division = llvm::cast<llvm::BinaryOperator>(instruction);
      instrumenter_.countQuotientBits(division, begin(tile_compiler::kSlotsDivideBit));
      instrumenter_.countBefore(instruction, begin(fixedSlots(division)));
    } else if (auto* const store = llvm::dyn_cast<llvm::StoreInst>(&instruction)) {
      const unsigned slots = routineSlots(*store);
      if (slots == 0) return;
      if (slots == tile_compiler::kSlotsStoreHalfWord) {
        instrumenter_.countBefore(instruction, begin(slots - 1, routineWork(*store)));
        instrumenter_.countEvenHalfWords(*store, begin(1));
      } else {
        instrumenter_.countBefore(instruction, begin(slots, routineWork(*store)));
      }
    } else if (const unsigned slots = librarySlots(instruction); slots > 0) {
      tile_compiler::Work work;
      if (llvm::isa<llvm::BinaryOperator>(instruction)) work.flops = Flops(1);
      instrumenter_.countBefore(instruction, begin(slots, work));
    }
  }

  static unsigned fixedSlots(const llvm::BinaryOperator& division) {
    using llvm::Instruction;
    const unsigned opcode = division.getOpcode();
    const bool is_signed = opcode == Instruction::SDiv || opcode == Instruction::SRem;
    const bool is_remainder = opcode == Instruction::URem || opcode == Instruction::SRem;
    return tile_compiler::kSlotsDivideFixed + (is_signed ? tile_compiler::kSlotsSignedDivide : 0) +
           (is_remainder ? tile_compiler::kSlotsRemainder : 0);
  }

  /// Slots of the routine that a store below a word, or not aligned to one, calls; else 0.
  static unsigned routineSlots(const llvm::StoreInst& store) {
    llvm::Type* const type = store.getValueOperand()->getType();
    const unsigned bits =
        type->isPointerTy() ? 32 : static_cast<unsigned>(type->getPrimitiveSizeInBits());
    if (bits <= 8) return tile_compiler::kSlotsStoreByte;
    if (bits <= 16) return tile_compiler::kSlotsStoreHalfWord;
    return store.getAlign().value() < tile_compiler::kWordBytes
               ? tile_compiler::kSlotsStoreUnaligned
               : 0;
  }

  /// A routine reads and writes whole words: the one that a part lies in, or the two that a word
  /// lies in which is not aligned.
  static tile_compiler::Work routineWork(const llvm::StoreInst& store) {
    const llvm::Type* const type = store.getValueOperand()->getType();
    const bool is_part = !type->isPointerTy() && type->getPrimitiveSizeInBits() <= 16;
    const Bytes bytes(std::uint64_t{is_part ? 1U : 2U} * tile_compiler::kWordBytes);
    return {Flops(0), bytes, bytes};
  }

  /// Slots of a routine of the library whose body is not in this code; else 0.
  static unsigned librarySlots(const llvm::Instruction& instruction) {
    const llvm::Type* const type = instruction.getType();
    const bool is_float = llvm::isa<llvm::BinaryOperator, llvm::CastInst>(instruction);
    if (type->isDoubleTy() && is_float) return tile_compiler::kSlotsDouble;
    const auto* const call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    if (call == nullptr || llvm::isa<llvm::IntrinsicInst>(call)) return 0;
    const llvm::Function* const callee = call->getCalledFunction();
    if (callee == nullptr || !callee->isDeclaration() ||
        isOneInstruction(callee->getName().str())) {
      return 0;
    }
    return tile_compiler::kSlotsLibrary;
  }

  llvm::Module& module_;
  const CountOptions& options_;
  TileOptimiser optimiser_;
  Instrumenter instrumenter_;
  Places places_;
  std::map<const llvm::Function*, tile_compiler::Slots> stub_of_;
  CountedModule counted_;
};

}  // namespace

CountOptions popcOptions(OptimisationLevel level, std::vector<std::string> entries) {
  CountOptions options;
  options.level = level;
  options.entries = std::move(entries);
  return options;
}

CountedModule countBlocks(llvm::Module& module, const CountOptions& options) {
  return ModuleCounter(module, options).run();
}

}  // namespace ipusim::codelets
