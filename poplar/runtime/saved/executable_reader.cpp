// SPDX-License-Identifier: Apache-2.0
#include "poplar/runtime/saved/executable_reader.h"

#include <cstring>
#include <utility>

#include "base/numbers/packed_bytes.h"
#include "ipusim/error.h"
#include "ipusim/vertex_table.h"
#include "poplar/runtime/graph/program_checks.h"
#include "poplar/runtime/graph/tensor_pieces.h"
#include "poplar/runtime/saved/saved_checks.h"
#include "poplar/runtime/saved/saved_members.h"
#include "poplar/runtime/target.h"

namespace poplar::detail {

namespace {

class Reader : public ipusim::PackedReader<Reader> {
 public:
  /// The bytes and the state must outlive this.
  Reader(std::string_view bytes, GraphState& state) : PackedReader(bytes), state_(state) {}

 private:
  friend PackedReader;
  using PackedReader::get;

  template <typename T>
  static constexpr std::uint64_t lastOf() {
    return static_cast<std::uint64_t>(detail::lastOf(T{}));
  }
  template <typename T>
  void getMembers(T& object) {
    Members<T>::of(*this, object);
  }
  template <std::size_t Size>
  void get(char (&text)[Size]) {  // NOLINT(modernize-avoid-c-arrays): names in TargetData
    std::memcpy(text, takeBytes(Size).data(), Size);
  }
  void get(std::vector<std::byte>& bytes) {
    const std::string_view taken = takeBytes(takeSize());
    bytes.resize(taken.size());
    if (!taken.empty()) std::memcpy(bytes.data(), taken.data(), taken.size());
  }
  template <typename T, std::size_t Inline>
  void get(boost::container::small_vector<T, Inline>& items) {
    getItems(items);
  }

  /// 0 is none, 1 one that follows, and from 2 on the number of an earlier one.
  template <typename Handle, typename Make>
  void getShared(Handle& handle, std::vector<Handle>& known, const Make& make) {
    const std::uint64_t number = takeNumber();
    if (number == 0) return;
    if (number == 1) known.push_back(make());
    handle = number == 1 ? known.back() : known.at(number - 2);
  }
  template <typename Data>
  Ref<Data> made() {
    if (depth_ > Nesting::kDeepest) {
      throw ipusim::ConfigError("programs that are nested too deep");
    }
    auto data = std::make_unique<Data>();
    ++depth_;  // an exception ends the reading
    get(*data);
    --depth_;
    finish(*data);
    return Ref<Data>::taking(data.release());
  }
  void finish(TensorData& tensor) const {
    tensor.names = state_.names;
    SavedVariables::check(tensor);
  }
  void finish(const ProgramData& program) {
    checkStep(program);
    checkNumbers(program, state_);
    nesting_.add(program, state_.functions);
  }
  void get(Ref<TensorData>& tensor) {
    getShared(tensor, tensors_, [this] { return made<TensorData>(); });
  }
  void get(Ref<ProgramData>& program) {
    getShared(program, programs_, [this] { return made<ProgramData>(); });
  }
  void get(std::shared_ptr<const ipusim::VertexType>& type) {
    getShared(type, types_, [this] {
      return ipusim::shared(ipusim::vertexType(take<std::string>(), state_.machine));
    });
  }
  void get(ipusim::Tensor& tensor) {
    const auto type = take<ipusim::ElementType>();
    const auto shape = take<ipusim::Shape>();
    auto pieces = take<std::vector<ipusim::Tensor::Piece>>();
    variables_.check(type, shape, pieces);
    tensor = tensorOf(type, shape, std::move(pieces));
  }
  void get(ipusim::codelets::Codelets& codelets) {
    codelets = ipusim::codelets::fromArchive(take<std::string>(), "executable");
  }
  void get(ipusim::Graph& graph);
  void getVariable(ipusim::Graph& graph);

  GraphState& state_;
  SavedVariables variables_{state_};
  Nesting nesting_;
  std::size_t depth_ = 0;  ///< of the programs that are being read
  std::vector<Ref<TensorData>> tensors_;
  std::vector<Ref<ProgramData>> programs_;
  std::vector<std::shared_ptr<const ipusim::VertexType>> types_;
};

void Reader::getVariable(ipusim::Graph& graph) {
  const auto name = take<std::string>();
  const auto type = take<ipusim::ElementType>();
  const auto elements = take<std::uint64_t>();
  const auto id = static_cast<ipusim::VariableId>(graph.variables().size());
  graph.addVariable(type, {elements}, name, ipusim::Lifetime::Always);
  std::vector<ipusim::MappedInterval> intervals;
  for (std::size_t left = takeSize(); left > 0; --left) {
    const auto begin = take<std::uint64_t>();
    const auto end = take<std::uint64_t>();
    intervals.push_back({begin, end, take<ipusim::TileId>(), 0});
  }
  checkIntervals(graph.variable(id), intervals, state_.tiles());
  for (const ipusim::MappedInterval& each : intervals) {
    graph.setTileMapping(ipusim::contiguous(id, each.begin, each.end - each.begin), each.tile);
  }
}

void Reader::get(ipusim::Graph& graph) {
  for (std::size_t left = takeSize(); left > 0; --left) getVariable(graph);
  for (std::size_t left = takeSize(); left > 0; --left) {
    const ipusim::ComputeSetId id = graph.addComputeSet(take<std::string>());
    for (ipusim::VertexFamily& family : take<std::vector<ipusim::VertexFamily>>()) {
      variables_.check(family);
      graph.addVertices(id, std::move(family));
    }
  }
  for (std::size_t left = takeSize(); left > 0; --left) {
    const auto name = take<std::string>();
    std::vector<ipusim::MoveRun> moves;
    for (const ipusim::Move& move : take<std::vector<ipusim::Move>>()) {
      variables_.check(move);
      ipusim::appendMove(moves, move);
    }
    graph.copy(std::move(moves), name);
  }
}

}  // namespace

std::unique_ptr<ExecutableData> executableFrom(std::string_view bytes) {
  auto executable = std::make_unique<ExecutableData>();
  auto state = std::make_shared<GraphState>();
  Reader reader(bytes, *state);
  reader(state->target);
  checkTarget(state->target);
  state->machine = machineOf(state->target);
  reader(*state);
  checkState(*state);
  reader(executable->programs);
  if (!reader.isAtEnd()) throw ipusim::ConfigError("more bytes than it has");
  for (const Ref<ProgramData>& program : executable->programs) {
    if (!program) throw ipusim::ConfigError("none where a program is");
  }
  executable->state = std::move(state);
  return executable;
}

}  // namespace poplar::detail
