// SPDX-License-Identifier: Apache-2.0
#include "poplar/codelets/count/unit_code.h"

#include <fmt/format.h>
#include <llvm/Config/llvm-config.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IRReader/IRReader.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Transforms/Utils/ModuleUtils.h>

#include "poplar/codelets/count/vertex_reader.h"

namespace ipusim::codelets {

namespace {

static_assert(LLVM_VERSION_MAJOR == kLlvmVersion);

/// The least important destructors run last.
constexpr int kLastPriority = 65535;

}  // namespace

struct UnitCode::Parsed {
  llvm::LLVMContext context;
  std::unique_ptr<llvm::Module> module;
};

UnitCode::UnitCode(const std::string& file) : parsed_(std::make_unique<Parsed>()) {
  llvm::SMDiagnostic error;
  parsed_->module = llvm::parseIRFile(file, error, parsed_->context);
  if (parsed_->module) return;
  throw ConfigError(fmt::format("{}:{}: wanted code of LLVM, found: {}", file, error.getLineNo(),
                                error.getMessage().str()));
}

UnitCode::~UnitCode() = default;

std::vector<VertexType> UnitCode::vertices() const {
  return readVertices(*parsed_->module);
}

void UnitCode::keepOnly(const std::vector<std::string>& symbols) {
  llvm::Module& module = *parsed_->module;
  llvm::GlobalVariable* const list = module.getNamedGlobal("llvm.global_dtors");
  if (list == nullptr) return;
  list->eraseFromParent();
  for (const std::string& symbol : symbols) {
    if (llvm::Function* const function = module.getFunction(symbol))
      llvm::appendToGlobalDtors(module, function, kLastPriority);
  }
}

CountedModule UnitCode::count(const CountOptions& options) {
  return countBlocks(*parsed_->module, options);
}

void UnitCode::write(const std::string& file) const {
  std::error_code failed;
  llvm::raw_fd_ostream out(file, failed);
  if (!failed) out << *parsed_->module;
  if (!failed && !out.has_error()) return;
  out.clear_error();
  throw ConfigError(file + ": cannot write");
}

}  // namespace ipusim::codelets
