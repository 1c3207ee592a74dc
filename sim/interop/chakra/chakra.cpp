// SPDX-License-Identifier: Apache-2.0
#include "sim/interop/chakra/chakra.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "ipusim/error.h"

namespace ipusim::interop {

using compiler::Executable;
using compiler::Step;
using interop::chakra::Attributes;
using interop::chakra::Node;
using interop::chakra::NodeType;
using interop::chakra::Trace;

namespace {

/// The version of the schema whose nodes are written.
constexpr const char* kVersion = "1.0.0";

/// A piece of data that steps share: a variable, or the buffers that one step fills.
using Datum = std::size_t;
using Data = std::vector<Datum>;

struct StepData {
  Data reads;
  Data writes;
};

/// Finds what each step reads and writes. Blocks are taken together, so that a program needs one
/// entry per variable and not one per tile.
class DataFinder {
 public:
  explicit DataFinder(const Executable& executable)
      : executable_(executable), datum_of_buffer_(executable.lowered.blocks.size(), kNone) {}

  std::vector<StepData> find() {
    std::vector<StepData> all;
    for (const Step& step : executable_.lowered.steps) {
      StepData data;
      step_ = all.size();
      addFamilies(step, data);
      addMessages(step, data);
      addHost(step, data);
      sortOut(data.reads);
      sortOut(data.writes);
      all.push_back(std::move(data));
    }
    return all;
  }

  [[nodiscard]] std::size_t data() const {
    return executable_.lowered.share_of.size() + executable_.lowered.steps.size();
  }

 private:
  static constexpr Datum kNone = ~Datum{0};

  static void sortOut(Data& data) {
    std::sort(data.begin(), data.end());
    data.erase(std::unique(data.begin(), data.end()), data.end());
  }

  void addFamilies(const Step& step, StepData& data) {
    for (const compiler::BoundFamily& family : step.families) {
      const compiler::BoundFields::List fields = family.fields.list();
      for (std::size_t f = 0; f < fields.size(); ++f) {
        const FieldDirection direction = family.type->fields[f].direction;
        for (const compiler::EdgePattern& pattern : fields[f].patterns) {
          const Datum datum = datumOf(pattern.block);
          if (direction != FieldDirection::Output) data.reads.push_back(datum);
          if (direction != FieldDirection::Input) data.writes.push_back(datum);
        }
      }
    }
  }

  void addMessages(const Step& step, StepData& data) {
    step.messages.forEach([&](const compiler::Message& message) {
      data.reads.push_back(datumOf(message.from));
      step.messages.forEachDestination(message, [&](const compiler::Destination& destination) {
        data.writes.push_back(datumOf(destination.block));
      });
    });
  }

  static void addHost(const Step& step, StepData& data) {
    Data& side = step.host.direction == HostDirection::ToChip ? data.writes : data.reads;
    for (const VariableId variable : step.host.variables) side.push_back(indexOf(variable));
  }

  /// A buffer belongs to the first step that touches it, which fills it.
  Datum datumOf(BlockId block) {
    const VariableId variable = executable_.lowered.blocks[indexOf(block)].variable;
    if (variable != compiler::kNoVariable) return indexOf(variable);
    Datum& datum = datum_of_buffer_[indexOf(block)];
    if (datum == kNone) datum = executable_.lowered.share_of.size() + step_;
    return datum;
  }

  const Executable& executable_;
  std::vector<Datum> datum_of_buffer_;
  std::size_t step_ = 0;
};

/// Work of one run of a step.
VertexWork workOf(const Step& step) {
  VertexWork work{};
  for (const compiler::BoundFamily& family : step.families) {
    work.flops += family.type->work.flops * family.count;
    work.loads += family.type->work.loads * family.count;
    work.stores += family.type->work.stores * family.count;
  }
  return work;
}

std::uint64_t cyclesOfRun(const StepResult& step) {
  const std::uint64_t runs = std::max<std::uint64_t>(step.iterations, 1);
  return ceilDiv(step.cycles.value(), runs);
}

/// A node of a step, but for what differs from one run to the next.
Node blankNode(const Step& step, const StepResult& result, double clock_hz) {
  constexpr double kMicrosPerSecond = 1e6;
  Node node;
  node.name = step.name;
  const std::uint64_t cycles = cyclesOfRun(result);
  node.duration_micros =
      static_cast<std::uint64_t>(std::ceil(kMicrosPerSecond * secondsOf(Cycles(cycles), clock_hz)));
  node.attributes = {{"is_cpu_op", "bool_val", false, ""}, {"cycles", "uint64_val", cycles, ""}};
  return node;
}

/// The node of a step inside the IPUs.
Node nodeOf(const Step& step, const StepResult& result, double clock_hz) {
  Node node = blankNode(step, result, clock_hz);
  Attributes& attributes = node.attributes;
  if (step.kind == StepKind::Exchange) {
    node.type = NodeType::CommColl;
    attributes.push_back({"comm_type", "int64_val", interop::chakra::kAllToAll, ""});
    attributes.push_back({"comm_size", "int64_val", result.exchange.bytes.value(), ""});
  } else if (step.kind == StepKind::HostCopy) {
    const bool to_chip = step.host.direction == HostDirection::ToChip;
    node.type = to_chip ? NodeType::MemLoad : NodeType::MemStore;
    attributes.push_back({"tensor_size", "uint64_val", result.host.value(), ""});
  } else if (step.kind == StepKind::RemoteBegin || step.kind == StepKind::RemoteEnd) {
    const bool loads = step.remote.direction == RemoteDirection::Load;
    node.type = loads ? NodeType::MemLoad : NodeType::MemStore;
    attributes.push_back({"tensor_size", "uint64_val", result.remote.value(), ""});
  } else {
    const VertexWork work = workOf(step);
    node.type = NodeType::Comp;
    attributes.push_back({"num_ops", "int64_val", work.flops.value(), ""});
    attributes.push_back({"tensor_size", "uint64_val", (work.loads + work.stores).value(), ""});
  }
  return node;
}

/// The nodes of an exchange between IPUs: one for each IPU that sends and each that it sends to.
std::vector<Node> nodesOfPairs(const Step& step, const StepResult& result,
                               const Executable& executable) {
  const std::uint32_t tiles = executable.system.ipu.tiles;
  const auto ipu_of = [&](BlockId block) {
    return executable.lowered.blocks[indexOf(block)].tile.tile() / tiles;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, Bytes> sent;
  step.messages.forEach([&](const compiler::Message& message) {
    sent[{ipu_of(message.from), ipu_of(message.to)}] += step.messages.formOf(message).bytes();
  });
  std::vector<Node> nodes;
  for (const auto& [ends, bytes] : sent) {
    Node& node = nodes.emplace_back(blankNode(step, result, executable.system.ipu.clock_hz));
    node.type = NodeType::CommSend;
    node.attributes.push_back({"comm_src", "int32_val", ends.first, ""});
    node.attributes.push_back({"comm_dst", "int32_val", ends.second, ""});
    node.attributes.push_back({"comm_size", "int64_val", bytes.value(), ""});
  }
  return nodes;
}

/// The nodes [begin, end) that one run of a step became.
struct NodeRange {
  std::uint64_t begin;
  std::uint64_t end;

  void appendTo(std::vector<std::uint64_t>& ids) const {
    for (std::uint64_t id = begin; id < end; ++id) ids.push_back(id);
  }
};

/// A transfer with streaming memory is one node: the step that ends it.
bool hasNodes(const Step& step) {
  return step.kind != StepKind::Sync && step.kind != StepKind::RemoteBegin;
}

/// Counts the nodes of a program before any is made. Of more than `most` it says that there are
/// more.
struct NodeCounter {
  const Executable& executable;
  const std::vector<std::vector<Node>>& nodes_of_step;
  std::uint64_t most;
  std::uint64_t nodes = 0;

  void operator()(StepId id) {
    const std::size_t step = indexOf(id);
    if (hasNodes(executable.lowered.steps[step])) add(nodes_of_step[step].size());
  }
  void operator()(const compiler::Loop& loop) {
    NodeCounter body{executable, nodes_of_step, most};
    walk(loop.body, body);
    if (body.nodes == 0) return;
    const bool is_more = loop.iterations > most / body.nodes;
    add(is_more ? most + 1 : body.nodes * loop.iterations);
  }

 private:
  void add(std::uint64_t more) { nodes = std::min(nodes + more, most + 1); }
};

/// Goes through the program as it runs, and makes the nodes.
class Unroller {
 public:
  Unroller(const Executable& executable, const Result& result, std::uint64_t most)
      : executable_(executable), most_(most) {
    DataFinder finder(executable);
    step_data_ = finder.find();
    data_.resize(finder.data());
    for (std::size_t s = 0; s < executable.lowered.steps.size(); ++s) {
      nodes_of_step_.push_back(nodesOf(executable.lowered.steps[s], result.steps[s]));
    }
  }

  std::vector<Node> run() {
    NodeCounter counter{executable_, nodes_of_step_, most_};
    walk(executable_.lowered.control, counter);
    if (counter.nodes > most_) {
      throw ConfigError(
          fmt::format("wanted a program of at most {} nodes for a Chakra trace, which has no "
                      "loops, found more",
                      most_));
    }
    nodes_.reserve(counter.nodes);
    walk(executable_.lowered.control, *this);
    return std::move(nodes_);
  }

  void operator()(StepId id) {
    const std::size_t step = indexOf(id);
    if (!hasNodes(executable_.lowered.steps[step])) return;
    const std::vector<Node>& nodes = nodes_of_step_[step];
    const NodeRange run{nodes_.size(), nodes_.size() + nodes.size()};
    const std::vector<std::uint64_t> data_deps = dependencies(run, step_data_[step]);
    for (Node node : nodes) {
      node.id = nodes_.size();
      last_.appendTo(node.ctrl_deps);
      node.data_deps = data_deps;
      nodes_.push_back(std::move(node));
    }
    last_ = run;
  }

  void operator()(const compiler::Loop& loop) {
    for (std::uint64_t i = 0; i < loop.iterations; ++i) walk(loop.body, *this);
  }

 private:
  /// Who touched a datum last.
  struct Access {
    std::optional<NodeRange> writer;
    std::vector<NodeRange> readers;  ///< since the last write
  };

  [[nodiscard]] std::vector<Node> nodesOf(const Step& step, const StepResult& result) const {
    if (step.kind == StepKind::GlobalExchange) return nodesOfPairs(step, result, executable_);
    return {nodeOf(step, result, executable_.system.ipu.clock_hz)};
  }

  std::vector<std::uint64_t> dependencies(const NodeRange& run, const StepData& step) {
    std::vector<std::uint64_t> deps;
    for (const Datum datum : step.reads) {
      if (data_[datum].writer) data_[datum].writer->appendTo(deps);
    }
    for (const Datum datum : step.writes) {
      const Access& access = data_[datum];
      if (access.writer) access.writer->appendTo(deps);
      for (const NodeRange& reader : access.readers) reader.appendTo(deps);
    }
    for (const Datum datum : step.reads) data_[datum].readers.push_back(run);
    for (const Datum datum : step.writes) data_[datum] = {run, {}};
    std::sort(deps.begin(), deps.end());
    deps.erase(std::unique(deps.begin(), deps.end()), deps.end());
    return deps;
  }

  const Executable& executable_;
  std::uint64_t most_;
  std::vector<StepData> step_data_;
  std::vector<Access> data_;
  std::vector<std::vector<Node>> nodes_of_step_;
  NodeRange last_{0, 0};  ///< of the step before
  std::vector<Node> nodes_;
};

}  // namespace

Trace chakraOf(const Executable& executable, const Result& result, std::uint64_t most) {
  check(result.steps.size() == executable.lowered.steps.size(),
        "the result is that of the executable");
  Trace trace;
  trace.version = kVersion;
  trace.attributes = {{"machine", "string_val", executable.system.machineName(), ""},
                      {"clock_hz", "double_val", executable.system.ipu.clock_hz, ""}};
  trace.nodes = Unroller(executable, result, most).run();
  return trace;
}

}  // namespace ipusim::interop
