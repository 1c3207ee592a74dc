// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "sim/compile/schedule/exchange_plan.h"
#include "sim/run/detail/detail_of.h"

namespace ipusim::run {

using compiler::BoundFamily;
using compiler::Destination;
using compiler::Executable;
using compiler::Message;
using compiler::Step;

namespace {

constexpr std::uint32_t kNoOperation = ~std::uint32_t{0};

/// The first `parts` parts of a name, which slashes part.
std::string beginOf(const std::string& name, std::size_t parts) {
  std::size_t end = 0;
  for (std::size_t part = 0; part < parts && end != std::string::npos; ++part) {
    end = name.find('/', part == 0 ? 0 : end + 1);
  }
  return name.substr(0, end);
}

/// Names the operation of a step.
class OperationNames {
 public:
  OperationNames(const Executable& executable, const std::vector<std::string>& layers)
      : layers_(layers.begin(), layers.end()) {
    std::set<std::string> begins;
    for (const Step& step : executable.lowered.steps) begins.insert(beginOf(step.name, 1));
    // Where all steps begin with one name, that name tells nothing apart.
    parts_ = begins.size() > 1 || !layers.empty() ? 1 : 2;
  }

  /// The longest name of a layer that begins the name of the step, else its first parts.
  [[nodiscard]] std::string of(const std::string& step) const {
    for (std::size_t end = step.size(); end != std::string::npos && end > 0;
         end = step.rfind('/', end - 1)) {
      std::string begin = step.substr(0, end);
      if (layers_.count(begin) != 0) return begin;
    }
    return beginOf(step, parts_);
  }

 private:
  std::set<std::string> layers_;
  std::size_t parts_ = 1;
};

/// Follows values from the operation that writes them to those that read them.
class Flow {
 public:
  Flow(const Executable& executable, std::vector<OperationDetail>& operations)
      : writer_(executable.lowered.blocks.size(), kNoOperation), operations_(operations) {}

  void read(BlockId block, std::uint32_t operation) {
    const std::uint32_t from = writer_[indexOf(block)];
    if (from == kNoOperation || from == operation) return;
    std::vector<std::uint32_t>& inputs = operations_[operation].inputs;
    const auto place = std::lower_bound(inputs.begin(), inputs.end(), from);
    if (place == inputs.end() || *place != from) inputs.insert(place, from);
  }
  void write(BlockId block, std::uint32_t operation) { writer_[indexOf(block)] = operation; }

 private:
  std::vector<std::uint32_t> writer_;  ///< one entry per block
  std::vector<OperationDetail>& operations_;
};

template <typename Visit>
void forEachBlock(const Step& step, bool outputs, const Visit& visit) {
  for (const BoundFamily& family : step.families) {
    const compiler::BoundFields::List fields = family.fields.list();
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const FieldDirection direction = family.type->fields[f].direction;
      const bool other = direction == (outputs ? FieldDirection::Input : FieldDirection::Output);
      if (other) continue;
      for (const compiler::EdgePattern& edge : fields[f].patterns) visit(edge.block);
    }
  }
}

void addFlow(const Step& step, std::uint32_t operation, Flow& flow) {
  forEachBlock(step, false, [&](BlockId block) { flow.read(block, operation); });
  forEachBlock(step, true, [&](BlockId block) { flow.write(block, operation); });
  step.messages.forEach([&](const Message& message) {
    flow.read(message.from, operation);
    step.messages.forEachDestination(
        message, [&](const Destination& destination) { flow.write(destination.block, operation); });
  });
}

Bytes exchangeCode(const Executable& executable, const Step& step) {
  const CodeSizes& sizes = executable.system.ipu.code;
  Bytes code;
  for (const compiler::TileExchange& tile :
       compiler::planExchange(executable.system.ipu, executable.system.ipu.exchange, step,
                              executable.lowered.blocks)
           .tiles) {
    if (!tile.takesPart()) continue;
    code += sizes.exchange_entry + sizes.exchange_per_send * tile.send_instructions +
            sizes.exchange_per_receive * tile.receive_instructions;
  }
  return code;
}

/// The tiles on which an operation has the code of each vertex type.
using CodeTiles = std::map<std::string_view, std::set<std::uint32_t>>;

void addVertices(const Step& step, std::uint64_t iterations, CodeTiles& code,
                 OperationDetail& operation) {
  for (const BoundFamily& family : step.families) {
    const VertexType& type = *family.type;
    operation.vertex_data += family.count * (type.sizes.state + type.sizes.field_data);
    operation.flops += type.work.flops * (family.count * iterations);
    if (code[type.name].insert(family.tile.tile()).second) operation.vertex_code += type.sizes.code;
  }
}

}  // namespace

void addOperations(const Executable& executable, const std::vector<std::string>& layers,
                   const std::vector<std::uint64_t>& iterations, ProgramDetail& detail) {
  const OperationNames names(executable, layers);
  std::unordered_map<std::string, std::uint32_t> numbers;
  std::vector<CodeTiles> code;
  Flow flow(executable, detail.operations);
  for (std::uint32_t s = 0; s < executable.lowered.steps.size(); ++s) {
    const Step& step = executable.lowered.steps[s];
    if (step.kind == StepKind::Sync) continue;
    const auto next = static_cast<std::uint32_t>(detail.operations.size());
    const auto [found, is_new] = numbers.emplace(names.of(step.name), next);
    if (is_new) {
      detail.operations.emplace_back().name = found->first;
      code.emplace_back();
    }
    OperationDetail& operation = detail.operations[found->second];
    operation.steps.push_back(s);
    addVertices(step, iterations.at(s), code[found->second], operation);
    addFlow(step, found->second, flow);
    // Each of several IPUs has exchanges of its own.
    if (step.kind == StepKind::Exchange && executable.system.ipus == 1) {
      operation.exchange_code += exchangeCode(executable, step);
    }
  }
}

}  // namespace ipusim::run
