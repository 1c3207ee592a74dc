// SPDX-License-Identifier: Apache-2.0
#include "poplar/tests/codelet_count/counted_code.h"

#include <dlfcn.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace ipusim::codelets {
namespace {

constexpr const char* kClang = "clang-16";

void run(const std::string& command) {
  if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
}

}  // namespace

bool hasClang() {
  return std::system((std::string(kClang) + " --version > /dev/null 2>&1").c_str()) == 0;
}

CountedCode::CountedCode(const std::string& text, const CountOptions& options, CompiledFor target)
    : folder_("ipusim-count") {
  const std::string base = folder_.file("code");
  std::ofstream(base + ".cpp") << text;
  const char* const machine =
      target == CompiledFor::Tile ? "x86_64-linux-gnux32" : "x86_64-linux-gnu";
  run(std::string(kClang) + " --target=" + machine +
      " -O2 -Xclang -disable-llvm-passes -S -emit-llvm -g -fPIC -ffp-contract=off "
      "-fno-exceptions " +
      base + ".cpp -o " + base + ".ll");
  UnitCode code(base + ".ll");
  counted_ = code.count(options);
  code.write(base + "-counted.ll");
}

CountedCode::~CountedCode() {
  if (library_ != nullptr) dlclose(library_);
}

std::vector<std::uint64_t> CountedCode::slotsOf(const std::string& part) const {
  std::vector<std::uint64_t> slots;
  for (const Counter& counter : counted_.counters) {
    if (counter.function.find(part) != std::string::npos) slots.push_back(counter.slots.value());
  }
  return slots;
}

void* CountedCode::load(const std::string& symbol) {
  if (library_ == nullptr) {
    const std::string base = folder_.file("code");
    run(std::string(kClang) + " -w -O2 -Xclang -disable-llvm-passes -shared -fPIC " + base +
        "-counted.ll -o " + base + ".so");
    library_ = dlopen((base + ".so").c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (library_ == nullptr) throw std::runtime_error(dlerror());
  return dlsym(library_, symbol.c_str());
}

std::vector<std::uint64_t> CountedCode::takeCounts() {
  auto* const first = static_cast<std::uint64_t*>(load(kCountsSymbol));
  std::vector<std::uint64_t> counts(first, first + counted_.counters.size());
  std::fill(first, first + counted_.counters.size(), 0);
  return counts;
}

}  // namespace ipusim::codelets
