// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <mutex>
#include <utility>

#include "poplar/codelets/codelets.h"
#include "poplar/codelets/module.h"
#include "poplar/codelets/run/guard.h"
#include "poplar/codelets/run/host_functions.h"
#include "poplar/codelets/run/image.h"
#include "poplar/codelets/run/link.h"
#include "poplar/codelets/run/running_call.h"
#include "poplar/codelets/run/source_line.h"
#include "poplar/codelets/run/worker_context.h"

namespace ipusim::codelets {

namespace {

/// The sequence of splitmix64 (Steele, Lea, Flood 2014), which spreads a seed over a state.
std::uint64_t nextSplitMix(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15;
  std::uint64_t mixed = state;
  mixed = (mixed ^ mixed >> 30U) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ mixed >> 27U) * 0x94d049bb133111eb;
  return mixed ^ mixed >> 31U;
}

std::vector<std::string> vertexSymbols(const std::vector<VertexType>& vertices) {
  std::vector<std::string> symbols;
  symbols.reserve(vertices.size());
  for (const VertexType& vertex : vertices) symbols.push_back(vertex.symbol);
  return symbols;
}

/// Throws for a symbol that sections use and no tile has. `user` says what uses it.
void expectSymbols(const Objects& objects, const std::vector<SectionId>& sections,
                   const std::string& user) {
  for (const std::string& name : objects.undefinedIn(objects.reachableFrom(sections))) {
    if (hostFunction(name) != 0) continue;
    throw ConfigError(
        fmt::format("undefined symbol {}: {} uses it and no tile has it", name, user));
  }
}

/// The objects of the codelets. Throws where a vertex calls what neither they nor a tile have.
Objects linkable(const detail::Module& module) {
  Objects objects(module.objects);
  const std::vector<VertexType>& vertices = module.vertices;
  for (const VertexType& vertex : vertices) {
    const Definition* compute = objects.find(vertex.symbol);
    check(compute != nullptr, "a vertex has no code in its object");
    expectSymbols(objects, {compute->place},
                  fmt::format("vertex {} ({}:{})", vertex.name, vertex.file, vertex.line));
  }
  expectSymbols(objects, objects.initializers(), "the initial value of a file-scope variable");
  return objects;
}

std::string describe(const CallResult& entered, std::chrono::milliseconds limit) {
  switch (entered.fault) {
    case FaultKind::Memory:
      return fmt::format("touches address {:#x}, where the tile has no memory for it",
                         entered.address);
    case FaultKind::Arithmetic:
      return "divides a whole number by zero";
    case FaultKind::Instruction:
      return "reaches code that the compiler takes for unreachable";
    case FaultKind::TimeLimit:
      return fmt::format("does not end within {} ms", limit.count());
    default:
      return entered.reason;
  }
}

}  // namespace

namespace detail {

class Loaded {
 public:
  Loaded(Codelets codelets, std::uint32_t tiles, const ExecutionOptions& options)
      : codelets_(std::move(codelets)),
        options_(options),
        objects_(linkable(codelets_.module())),
        layout_(objects_, vertexSymbols(codelets_.vertices())),
        contexts_(1, Bytes(std::uint64_t{tiles} * options.workers * sizeof(WorkerContext))),
        of_tiles_(tiles) {
    for (const VertexType& vertex : codelets_.vertices()) {
      computes_.push_back(*objects_.find(vertex.symbol));
    }
    for (const CountsPlace& place : layout_.counts()) {
      check(place.first + place.number <= codelets_.blocks().size(),
            "codelets count more blocks than they name");
    }
    seed(options.seed);
  }

  void run(const VertexCall& call, Outcome& outcome) {
    check(call.vertex < computes_.size(), "no vertex type of that index");
    check(call.tile < of_tiles_.size() && call.worker < options_.workers,
          "a vertex runs on no tile or worker of the system");
    if (layout_.hasState()) {
      auto& own = of_tiles_[call.tile];
      if (!own) own = std::make_unique<Image>(layout_);
      runIn(*own, call, outcome);
      return;
    }
    std::unique_ptr<Image> lent = lend();
    runIn(*lent, call, outcome);
    giveBack(std::move(lent));
  }

  void seed(std::uint64_t seed) {
    auto* context = contexts();
    for (std::uint32_t tile = 0; tile < of_tiles_.size(); ++tile) {
      for (std::uint32_t worker = 0; worker < options_.workers; ++worker, ++context) {
        *context = {tile, worker, options_.workers, 0, {nextSplitMix(seed), nextSplitMix(seed)}, 0};
      }
    }
  }

 private:
  [[nodiscard]] WorkerContext* contexts() {
    return reinterpret_cast<WorkerContext*>(contexts_.at(0));
  }

  void runIn(Image& image, const VertexCall& call, Outcome& outcome) {
    WorkerContext& context = contexts()[std::size_t{call.tile} * options_.workers + call.worker];
    image.useContext(context);
    const RunningCall running(context, image, codelets_.blocks());
    printedText().clear();
    const CallResult entered = enterGuarded(image.code(), image.addressOf(computes_[call.vertex]),
                                            call.state, call.worker, options_.time_limit);
    outcome.printed = printedText();
    takeCounts(image, outcome);
    context.clock += outcome.slots * kCyclesPerSlot;
    if (entered.fault != FaultKind::None) throwFault(image, call, entered);
    constexpr std::uint64_t kBoolBits = 0xff;
    outcome.result =
        !codelets_.vertices()[call.vertex].returns_value || (entered.value & kBoolBits) != 0;
  }

  void takeCounts(Image& image, Outcome& outcome) const {
    const std::vector<CodeBlock>& blocks = codelets_.blocks();
    outcome.counts.assign(blocks.size(), 0);
    image.takeCounts(outcome.counts);
    outcome.slots = 0;
    outcome.work = {};
    for (std::size_t block = 0; block < blocks.size(); ++block) {
      const std::uint64_t count = outcome.counts[block];
      const CodeWork& work = blocks[block].work;
      outcome.slots += count * blocks[block].slots;
      outcome.work.flops += work.flops * count;
      outcome.work.loaded += work.loaded * count;
      outcome.work.stored += work.stored * count;
    }
  }

  [[noreturn]] void throwFault(const Image& image, const VertexCall& call,
                               const CallResult& entered) const {
    const VertexType& vertex = codelets_.vertices()[call.vertex];
    std::string line;
    std::uint32_t inside = 0;
    const SectionId* section =
        entered.code == 0
            ? nullptr
            : layout_.sectionAt(static_cast<std::uint32_t>(entered.code - image.code().begin),
                                inside);
    if (section != nullptr) {
      line = sourceLine(codelets_.module().objects[section->object], objects_.at(*section), inside);
    }
    if (line.empty()) line = fmt::format("{}:{}", vertex.file, vertex.line);
    throw CodeletFault(fmt::format("{}: vertex {} on tile {}, worker {}: {}", line, vertex.name,
                                   call.tile, call.worker, describe(entered, options_.time_limit)));
  }

  std::unique_ptr<Image> lend() {
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        std::unique_ptr<Image> image = std::move(free_.back());
        free_.pop_back();
        return image;
      }
    }
    return std::make_unique<Image>(layout_);
  }

  void giveBack(std::unique_ptr<Image> image) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(image));
  }

  Codelets codelets_;
  ExecutionOptions options_;
  Objects objects_;
  Layout layout_;
  LowMemory contexts_;
  std::vector<Definition> computes_;              ///< by vertex type
  std::vector<std::unique_ptr<Image>> of_tiles_;  ///< where file-scope variables differ by tile
  std::mutex mutex_;
  std::vector<std::unique_ptr<Image>> free_;  ///< of code without such variables
};

}  // namespace detail

Execution::Execution(Codelets codelets, std::uint32_t tiles, const ExecutionOptions& options)
    : loaded_(std::make_unique<detail::Loaded>(std::move(codelets), tiles, options)) {}

Execution::Execution(Execution&&) noexcept = default;
Execution& Execution::operator=(Execution&&) noexcept = default;
Execution::~Execution() = default;

void Execution::run(const VertexCall& call, Outcome& outcome) {
  loaded_->run(call, outcome);
}

void Execution::seed(std::uint64_t seed) {
  loaded_->seed(seed);
}

}  // namespace ipusim::codelets
